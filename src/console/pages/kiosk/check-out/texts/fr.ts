import type { CheckOutTexts } from '../texts.ts'

export const fr: CheckOutTexts = {
  insertCard: 'Veuillez insérer votre carte dans la fente.',
  whyReturn: 'La machine la garde. Ensuite, nous enregistrons votre départ.',
  holdCard: 'Veuillez tenir votre carte sur le lecteur.',
  whyShow: 'Elle montre que c’est bien vous qui partez.',
  noCardCame: 'La machine n’a aucune carte de vous. Veuillez réessayer, ou demander à la réception.',
  notYours:
    'Nous n’avons pas pu lire de carte de votre chambre. Veuillez réessayer, ou demander à la réception.',
  putOther:
    'Nous avons repris cette carte. Veuillez insérer aussi la première carte de votre chambre, ou demander à la réception.',
  tryAgain: 'Réessayer',
  noCard: 'Je n’ai pas de carte',
  goodJourney: 'Merci de votre séjour. Bon voyage !',
  isCheckedOut: 'Votre départ est enregistré.',
  leaveCards: 'Veuillez laisser vos cartes à la réception.',
  anotherCard: 'Rendre une autre carte',
  noMoreCards: 'Je n’ai plus de carte',
}
