import { plural } from '../../../lib/format.ts'
import type { GroupTexts } from '../texts.ts'

export const fr: GroupTexts = {
  title: 'Faire l’arrivée ensemble',
  why: 'Chaque séjour sans chambre en reçoit une, comme pour une arrivée seule. Faites les cartes sur les fiches des clients.',
  checkIn: (count) => plural(count, { one: 'Arrivée de 1 client', other: `Arrivée de ${count} clients` }),
  again: (count) => plural(count, { one: 'Réessayer 1 client', other: `Réessayer ${count} clients` }),
  ofBooking: (count) => `Arrivée des ${count} séjours de cette réservation`,
  running: 'arrivée en cours',
  done: 'présent',
  refused: (why) => `Arrivée non faite : ${why}`,
  allDone: 'Tous sont présents.',
  clear: 'Terminer la sélection',
  close: 'Fermer',
}
