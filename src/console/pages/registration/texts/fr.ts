import type { FieldTexts } from '../texts.ts'

export const fr: FieldTexts = {
  birthDate: 'Date de naissance',
  nationality: 'Nationalité',
  line1: 'Rue et numéro, ou lieu',
  postalCode: 'Code postal',
  city: 'Ville',
  country: 'Pays',
  documentType: 'Pièce d’identité',
  documentTypes: {
    Passport: 'Passeport',
    IdentityCard: 'Carte d’identité',
    ResidencePermit: 'Titre de séjour',
    DrivingLicence: 'Permis de conduire',
    Other: 'Autre',
  },
  documentNumber: 'Numéro de la pièce',
  documentCountry: 'Délivrée par (pays)',
  houseRules: 'Règlement intérieur',
  signature: 'Signature',
  signHere: 'Signature du client : avec le doigt, un stylet ou la souris',
  signAgain: 'Signer à nouveau',
}
