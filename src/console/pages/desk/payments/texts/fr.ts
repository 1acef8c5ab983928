import type { MoneyTexts } from '../texts.ts'

export const fr: MoneyTexts = {
  payFirst: 'Encaissez avant le départ du client.',
  mayNotRecord: 'Votre rôle ne note pas ce paiement. Demandez à une personne dont le rôle le permet.',
  howToPay: 'Payé par',
  howToGive: 'Rendu par',
  leaveOpen: 'Laisser à payer',
  later: 'Rendre plus tard',
  whyOpen: 'Pourquoi reste-t-il à payer ?',
  whyHint: 'Au moins trois lettres. Le motif est écrit dans le commentaire du séjour.',
  endsAs: {
    NoShow: 'Le client n’est pas venu. La chambre est libérée et les clés du séjour prennent fin.',
    Canceled: 'Le séjour est annulé et sa chambre est libérée.',
  },
  feeMay:
    'Des frais peuvent être dus selon les conditions de la réservation : le boîtier les fixe maintenant, et la fiche les montre.',
  feeNow: (sum) => `Selon les conditions de la réservation, des frais de ${sum} sont dus maintenant.`,
  noFee: 'Selon les conditions de la réservation, aucuns frais ne sont dus maintenant.',
  whyEnded: 'Motif',
  takeAndGo: (sum) => `Encaisser ${sum} et faire le départ`,
  takePart: (sum) => `Encaisser ${sum}`,
  giveAndGo: (sum) => `Rendre ${sum} et faire le départ`,
  givePart: (sum) => `Rendre ${sum}`,
  leaveAndGo: (sum) => `Laisser ${sum} à payer et faire le départ`,
  leftOpen: (sum, reason) => `${sum} à payer au départ : ${reason}`,
  nothingDone: 'Aucun argent n’a été noté et le départ n’est pas fait.',
  notOut: 'Le départ du client n’est pas encore fait',
  goOn: 'Continuez le départ : ce qui est noté n’est pas noté une deuxième fois.',
  giveBackTitle: 'Rembourser un paiement',
  left: (sum) => `De ce paiement, ${sum} peuvent être rendus. Le séjour les doit alors de nouveau.`,
  whyGiven: 'Pourquoi est-ce rendu ?',
}
