import type { RegistrationTexts } from '../texts.ts'

export const de: RegistrationTexts = {
  title: 'Meldung',
  registered: 'Gemeldet',
  notRegistered: 'Nicht gemeldet',
  notSigned: 'Unterschrift fehlt',
  register: 'Melden',
  correct: 'Berichtigen',
  registerTitle: 'Meldung eines Gastes',
  noGuest: 'Der Aufenthalt hat noch keinen Gast mit Namen. Fügen Sie zuerst einen hinzu.',
  lastName: 'Nachname',
  firstName: 'Vorname',
  accepts: 'Der Gast hat die Hausordnung gelesen und nimmt sie an.',
  onPaper: 'Der Gast hat auf Papier unterschrieben, das die Rezeption aufbewahrt.',
  save: 'Speichern',
  waived: 'Ohne Meldung',
  without: 'Ohne Meldung einchecken',
  why: 'Grund',
  whyHint:
    'Mindestens drei Buchstaben. Er wird mit dem Aufenthalt aufbewahrt. Ein leerer Grund entfernt ihn.',
  keepReason: 'Grund speichern',
  dayFile: 'Meldungen des Tages (CSV)',
}
