import { plural } from '../../../lib/language/format.ts'
import type { KioskRegistrationTexts } from '../texts.ts'

export const de: KioskRegistrationTexts = {
  whose: (name, at, of) => `Meldung von ${name}, Frage ${at} von ${of}.`,
  dayInDigits: 'Geben Sie acht Ziffern ein: Tag, Monat und Jahr.',
  noSuchDay: 'Diesen Tag gibt es nicht. Bitte prüfen Sie die Ziffern.',
  chooseCountry: 'Geben Sie die ersten Buchstaben ein, und tippen Sie auf das Land.',
  moreCountries: (count) =>
    plural(count, {
      one: '1 weiteres. Geben Sie mehr Buchstaben ein.',
      other: `${count} weitere. Geben Sie mehr Buchstaben ein.`,
    }),
  noCountry: 'Kein Land beginnt so. Bitte löschen Sie einige Buchstaben.',
  readRules: 'Bitte lesen Sie die Hausordnung, und nehmen Sie sie an.',
  up: 'Weiter oben',
  down: 'Weiter unten',
  accept: 'Ich nehme die Hausordnung an',
  sign: 'Bitte unterschreiben Sie mit einem Finger im Feld.',
  notSigned: 'Das ist zu kurz für eine Unterschrift. Bitte unterschreiben Sie noch einmal.',
  cannotSign: 'Ich kann hier nicht unterschreiben',
  rulesChanged: 'Die Hausordnung hat sich eben geändert. Bitte lesen Sie sie noch einmal.',
}
