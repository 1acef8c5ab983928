import type { ReceiptTexts } from '../texts.ts'

export const fr: ReceiptTexts = {
  print: 'Imprimer un reçu',
  isPrinted: 'Votre reçu est en cours d’impression. S’il ne sort pas, adressez-vous à la réception.',
  receipt: 'Reçu',
  booking: 'Réservation',
  stay: 'Séjour',
  byCard: 'Payé par carte',
  due: 'Total',
  paid: 'Payé',
  open: 'Reste à payer',
  noInvoice: 'Ceci n’est pas une facture.',
  printed: 'Imprimé le',
}
