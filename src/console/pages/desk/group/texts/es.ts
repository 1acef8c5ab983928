import { plural } from '../../../lib/language/format.ts'
import type { GroupTexts } from '../texts.ts'

export const es: GroupTexts = {
  title: 'Hacer el check-in juntos',
  why: 'Cada estancia sin habitación recibe una, como en un check-in individual. Las tarjetas pueden hacerse después, un huésped tras otro.',
  checkIn: (count) =>
    plural(count, { one: 'Check-in de 1 huésped', other: `Check-in de ${count} huéspedes` }),
  again: (count) =>
    plural(count, { one: 'Intentar 1 huésped otra vez', other: `Intentar ${count} huéspedes otra vez` }),
  ofBooking: (count) => `Check-in de las ${count} estancias de esta reserva`,
  running: 'haciendo el check-in',
  done: 'en la casa',
  refused: (why) => `Sin check-in: ${why}`,
  allDone: 'Todos están en la casa.',
  cards: 'Tarjetas',
  cardsTitle: 'Tarjetas de esta reserva',
  cardsOfBooking: (count) => `Hacer las tarjetas de ${count} huéspedes de esta reserva`,
  perRoom: 'una por habitación',
  perAdult: 'una por adulto',
  makeCards: (count) =>
    plural(count, {
      one: 'Hacer las tarjetas de 1 huésped',
      other: `Hacer las tarjetas de ${count} huéspedes`,
    }),
  makeNext: (name) => `Hacer la tarjeta de ${name}`,
  goOn: 'Seguir con el huésped siguiente',
  stop: 'Parar aquí',
  cardMade: 'tiene la tarjeta',
  cardHad: 'ya tenía una tarjeta',
  cardLeft: 'faltan tarjetas',
  noCard: (why) => `Sin tarjeta: ${why}`,
  allCards: 'Cada huésped tiene una tarjeta.',
  clear: 'Terminar la selección',
  close: 'Cerrar',
}
