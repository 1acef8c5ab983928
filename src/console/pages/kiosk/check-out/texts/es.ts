import type { CheckOutTexts } from '../texts.ts'

export const es: CheckOutTexts = {
  insertCard: 'Introduzca su tarjeta en la ranura, por favor.',
  whyReturn: 'La máquina se la queda. Después registramos su salida.',
  holdCard: 'Acerque su tarjeta al lector, por favor.',
  whyShow: 'Así sabemos que es usted quien se va.',
  noCardCame: 'La máquina no tiene ninguna tarjeta suya. Inténtelo de nuevo o pregunte en la recepción.',
  notYours:
    'No hemos podido leer una tarjeta de su habitación. Inténtelo de nuevo o pregunte en la recepción.',
  putOther:
    'Hemos recogido esta tarjeta. Introduzca también la primera tarjeta de su habitación o pregunte en la recepción.',
  tryAgain: 'Intentar de nuevo',
  noCard: 'No tengo tarjeta',
  goodJourney: 'Gracias por su estancia. ¡Buen viaje!',
  isCheckedOut: 'Su salida está registrada.',
  leaveCards: 'Deje sus tarjetas en la recepción, por favor.',
  anotherCard: 'Devolver otra tarjeta',
  noMoreCards: 'No tengo más tarjetas',
}
