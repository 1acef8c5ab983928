import { plural } from '../../../lib/language/format.ts'
import type { GroupTexts } from '../texts.ts'

export const fr: GroupTexts = {
  title: 'Faire l’arrivée ensemble',
  why: 'Chaque séjour sans chambre en reçoit une, comme pour une arrivée seule. Les cartes peuvent être faites ensuite, un client après l’autre.',
  checkIn: (count) => plural(count, { one: 'Arrivée de 1 client', other: `Arrivée de ${count} clients` }),
  again: (count) => plural(count, { one: 'Réessayer 1 client', other: `Réessayer ${count} clients` }),
  ofBooking: (count) => `Arrivée des ${count} séjours de cette réservation`,
  running: 'arrivée en cours',
  done: 'présent',
  refused: (why) => `Arrivée non faite : ${why}`,
  allDone: 'Tous sont présents.',
  cards: 'Cartes',
  cardsTitle: 'Cartes de cette réservation',
  cardsOfBooking: (count) => `Faire les cartes de ${count} clients de cette réservation`,
  perRoom: 'une par chambre',
  perAdult: 'une par adulte',
  makeCards: (count) =>
    plural(count, { one: 'Faire les cartes de 1 client', other: `Faire les cartes de ${count} clients` }),
  makeNext: (name) => `Faire la carte de ${name}`,
  goOn: 'Continuer avec le client suivant',
  stop: 'Arrêter ici',
  cardMade: 'a la carte',
  cardHad: 'avait déjà une carte',
  cardLeft: 'il manque des cartes',
  noCard: (why) => `Pas de carte : ${why}`,
  allCards: 'Chaque client a une carte.',
  clear: 'Terminer la sélection',
  close: 'Fermer',
}
