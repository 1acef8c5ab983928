import { plural } from '../../../lib/language/format.ts'
import type { KioskRegistrationTexts } from '../texts.ts'

export const fr: KioskRegistrationTexts = {
  whose: (name, at, of) => `Fiche de ${name}, question ${at} sur ${of}.`,
  dayInDigits: 'Saisissez huit chiffres : jour, mois et année.',
  noSuchDay: 'Ce jour n’existe pas. Veuillez vérifier les chiffres.',
  chooseCountry: 'Saisissez les premières lettres, puis touchez le pays.',
  moreCountries: (count) =>
    plural(count, {
      one: '1 autre. Saisissez plus de lettres.',
      other: `${count} autres. Saisissez plus de lettres.`,
    }),
  noCountry: 'Aucun pays ne commence ainsi. Veuillez effacer quelques lettres.',
  readRules: 'Veuillez lire le règlement intérieur, et l’accepter.',
  up: 'Plus haut',
  down: 'Plus bas',
  accept: 'J’accepte le règlement intérieur',
  sign: 'Veuillez signer dans le cadre avec un doigt.',
  notSigned: 'C’est trop court pour une signature. Veuillez signer encore une fois.',
  cannotSign: 'Je ne peux pas signer ici',
  rulesChanged: 'Le règlement intérieur vient de changer. Veuillez le relire.',
}
