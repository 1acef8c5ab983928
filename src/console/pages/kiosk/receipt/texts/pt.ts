import type { ReceiptTexts } from '../texts.ts'

export const pt: ReceiptTexts = {
  print: 'Imprimir um recibo',
  isPrinted: 'O seu recibo está a ser impresso. Se não sair, pergunte na receção.',
  receipt: 'Recibo',
  booking: 'Reserva',
  stay: 'Estadia',
  byCard: 'Pago com cartão',
  due: 'Total',
  paid: 'Pago',
  open: 'Ainda por pagar',
  noInvoice: 'Isto não é uma fatura.',
  printed: 'Impresso em',
}
