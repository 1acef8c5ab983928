import type { MoneyTexts } from '../texts.ts'

export const es: MoneyTexts = {
  payFirst: 'Cobre antes de que el huésped se vaya.',
  mayNotRecord: 'Su función no registra este pago. Pregunte a quien pueda hacerlo.',
  howToPay: 'Pagado con',
  howToGive: 'Devuelto con',
  leaveOpen: 'Dejarlo pendiente',
  later: 'Devolverlo más tarde',
  whyOpen: '¿Por qué queda pendiente?',
  whyHint: 'Al menos tres letras. Se escribe en el comentario de la estancia.',
  endsAs: {
    NoShow: 'El huésped no ha venido. La habitación queda libre y las llaves de la estancia terminan.',
    Canceled: 'La estancia se cancela y su habitación queda libre.',
  },
  feeMay:
    'Según las condiciones de la reserva puede haber un cargo: la caja lo fija ahora y la ficha lo muestra.',
  feeNow: (sum) => `Según las condiciones de la reserva, ahora hay un cargo de ${sum}.`,
  noFee: 'Según las condiciones de la reserva, ahora no hay ningún cargo.',
  whyEnded: 'Motivo',
  takeAndGo: (sum) => `Cobrar ${sum} y hacer el check-out`,
  takePart: (sum) => `Cobrar ${sum}`,
  giveAndGo: (sum) => `Devolver ${sum} y hacer el check-out`,
  givePart: (sum) => `Devolver ${sum}`,
  leaveAndGo: (sum) => `Dejar ${sum} pendiente y hacer el check-out`,
  leftOpen: (sum, reason) => `${sum} pendiente en el check-out: ${reason}`,
  nothingDone: 'No se registró dinero y el huésped no ha hecho el check-out.',
  notOut: 'El huésped aún no ha hecho el check-out',
  goOn: 'Continúe con el check-out: lo registrado no se registra otra vez.',
  giveBackTitle: 'Devolver un pago',
  left: (sum) => `De este pago se pueden devolver ${sum}. La estancia los debe entonces de nuevo.`,
  whyGiven: '¿Por qué se devuelve?',
}
