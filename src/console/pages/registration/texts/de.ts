import type { FieldTexts } from '../texts.ts'

export const de: FieldTexts = {
  birthDate: 'Geburtsdatum',
  nationality: 'Staatsangehörigkeit',
  line1: 'Straße und Hausnummer, oder Ort',
  postalCode: 'Postleitzahl',
  city: 'Stadt',
  country: 'Land',
  documentType: 'Ausweis',
  documentTypes: {
    Passport: 'Reisepass',
    IdentityCard: 'Personalausweis',
    ResidencePermit: 'Aufenthaltstitel',
    DrivingLicence: 'Führerschein',
    Other: 'Anderer',
  },
  documentNumber: 'Nummer des Ausweises',
  documentCountry: 'Ausgestellt von (Land)',
  houseRules: 'Hausordnung',
  signature: 'Unterschrift',
  signHere: 'Unterschrift des Gastes: mit Finger, Stift oder Maus',
  signAgain: 'Neu unterschreiben',
}
