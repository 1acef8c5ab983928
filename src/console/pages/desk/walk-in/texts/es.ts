import { plural } from '../../../lib/format.ts'
import type { WalkInTexts } from '../texts.ts'

export const es: WalkInTexts = {
  title: 'Sin reserva',
  local: 'Venta con los datos de la casa: puede faltar lo que el PMS ha vendido desde entonces.',
  from: (date) => `Desde hoy, ${date}`,
  until: 'Salida',
  nights: (count) => plural(count, { one: '1 noche', other: `${count} noches` }),
  badDates: 'La salida debe ser después de hoy.',
  adults: 'Adultos',
  children: 'Niños',
  type: 'Tipo de habitación',
  left: (count) => plural(count, { one: 'queda 1', other: `quedan ${count}` }),
  soldOut: 'agotado',
  aNight: (price) => `${price} por noche`,
  allSoldOut: 'Agotado para estas noches. Pruebe otra salida.',
  tooMany: (most) => `para ${most} como máximo`,
  lastName: 'Apellido',
  firstName: 'Nombre',
  nameNeeded: 'Escriba el apellido. Un nombre único también se escribe aquí.',
  room: 'Habitación',
  gone: 'Alguien fue más rápido: esta habitación está ocupada. Elija otra.',
  noRoom: 'No hay ninguna habitación libre de este tipo.',
  price: (currency) => `Precio de la estancia (${currency})`,
  priceHint: 'Como se vendió este tipo la última vez. Cámbielo si no es correcto.',
  pay: 'Pagado con',
  later: 'Pagar más tarde',
  refused:
    'Alguien fue más rápido, o la casa no lo permite. Lo que escribió se conserva: elija otra habitación u otro tipo.',
  book: 'Reservar, registrar, hacer la tarjeta',
  bookOnly: 'Reservar y registrar',
  clear: 'Vaciar el formulario',
}
