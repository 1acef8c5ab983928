import type { ReceiptTexts } from '../texts.ts'

export const de: ReceiptTexts = {
  print: 'Beleg drucken',
  isPrinted: 'Ihr Beleg wird gedruckt. Kommt er nicht heraus, fragen Sie bitte an der Rezeption.',
  receipt: 'Zahlungsbeleg',
  booking: 'Buchung',
  stay: 'Aufenthalt',
  byCard: 'Mit Karte bezahlt',
  due: 'Summe',
  paid: 'Bezahlt',
  open: 'Noch zu bezahlen',
  noInvoice: 'Dies ist keine Rechnung.',
  printed: 'Gedruckt am',
}
