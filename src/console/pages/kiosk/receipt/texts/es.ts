import type { ReceiptTexts } from '../texts.ts'

export const es: ReceiptTexts = {
  print: 'Imprimir un recibo',
  isPrinted: 'Su recibo se está imprimiendo. Si no sale, pregunte en la recepción.',
  receipt: 'Recibo',
  booking: 'Reserva',
  stay: 'Estancia',
  byCard: 'Pagado con tarjeta',
  due: 'Total',
  paid: 'Pagado',
  open: 'Pendiente de pago',
  noInvoice: 'Esto no es una factura.',
  printed: 'Impreso el',
}
