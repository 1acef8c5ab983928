import { plural } from '../../../lib/language/format.ts'
import type { RackTexts } from '../texts.ts'

export const es: RackTexts = {
  notCounted:
    'Ahora no se pueden contar las habitaciones libres. Las habitaciones y sus huéspedes son correctos.',
  title: 'Plano de habitaciones',
  room: 'Habitación',
  today: 'Hoy',
  weekBefore: 'Semana anterior',
  weekAfter: 'Semana siguiente',
  earlier: 'Antes en esta habitación',
  later: 'Después en esta habitación',
  roomAbove: 'Habitación de arriba',
  roomBelow: 'Habitación de abajo',
  noRooms: 'Aún no hay habitaciones.',
  toSetup: 'Crearlas en la configuración',
  noRoom: 'sin habitación',
  withoutRoom: (count) => `Sin habitación: ${count}`,
  freeRooms: 'Habitaciones libres',
  occupied: 'Ocupadas',
  free: (count) => `${count} libres`,
  andMore: 'Hay más estancias de las que muestra esta página.',
  newBooking: 'Nueva reserva',
  bookHint: 'Haga clic en una noche vacía para reservarla, o arrastre sobre varias.',
  arrival: 'Llegada',
  book: 'Reservar',
  nightMore: 'Una noche más',
  nightLess: 'Una noche menos',
  close: 'Cerrar',
  cell: (room, day, nights) =>
    plural(nights, {
      one: `Nueva reserva: ${room}, ${day}, 1 noche`,
      other: `Nueva reserva: ${room}, ${day}, ${nights} noches`,
    }),
  moveChosen: 'Cambiar de habitación',
  move: (guest) => `Otra habitación para ${guest}`,
  toRoom: 'Habitación nueva',
  moveTo: (room) => `Cambiar a ${room}`,
  nothingFree: 'No hay otra habitación libre para toda la estancia.',
  keyIsOut: 'Hay una llave fuera: el huésped necesita una tarjeta nueva. Haga el cambio en su ficha.',
  openSheet: 'Abrir el huésped',
  cancel: 'Cancelar',
  isTried: 'Se comprueba si es posible …',
  consequence: (from, to) =>
    `La estancia pasa de ${from} a ${to}. No hay ninguna llave fuera: ninguna tarjeta cambia.`,
  otherType: (from, to) => `El tipo cambia de ${from} a ${to}. El precio no cambia.`,
  roomIs: (room, status) => `Habitación ${room} ahora: ${status}.`,
}
