import { plural } from '../../../lib/format.ts'
import type { GroupTexts } from '../texts.ts'

export const es: GroupTexts = {
  title: 'Hacer el check-in juntos',
  why: 'Cada estancia sin habitación recibe una, como en un check-in individual. Las tarjetas se hacen en las fichas de los huéspedes.',
  checkIn: (count) =>
    plural(count, { one: 'Check-in de 1 huésped', other: `Check-in de ${count} huéspedes` }),
  again: (count) =>
    plural(count, { one: 'Intentar 1 huésped otra vez', other: `Intentar ${count} huéspedes otra vez` }),
  ofBooking: (count) => `Check-in de las ${count} estancias de esta reserva`,
  running: 'haciendo el check-in',
  done: 'en la casa',
  refused: (why) => `Sin check-in: ${why}`,
  allDone: 'Todos están en la casa.',
  clear: 'Terminar la selección',
  close: 'Cerrar',
}
