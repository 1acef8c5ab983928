import { plural } from '../../../lib/language/format.ts'
import type { RackTexts } from '../texts.ts'

export const fr: RackTexts = {
  notCounted:
    'Les chambres libres ne peuvent pas être comptées maintenant. Les chambres et leurs clients sont justes.',
  title: 'Planning des chambres',
  room: 'Chambre',
  today: 'Aujourd’hui',
  weekBefore: 'Semaine d’avant',
  weekAfter: 'Semaine d’après',
  earlier: 'Plus tôt dans cette chambre',
  later: 'Plus tard dans cette chambre',
  roomAbove: 'Chambre au-dessus',
  roomBelow: 'Chambre au-dessous',
  noRooms: 'Pas encore de chambres.',
  toSetup: 'Les créer dans la configuration',
  noRoom: 'pas de chambre',
  withoutRoom: (count) => `Sans chambre : ${count}`,
  freeRooms: 'Chambres libres',
  occupied: 'Occupées',
  free: (count) => `${count} libres`,
  andMore: 'Il y a plus de séjours que cette page n’en montre.',
  newBooking: 'Nouvelle réservation',
  bookHint: 'Cliquez sur une nuit vide pour la réserver, ou glissez sur plusieurs nuits.',
  arrival: 'Arrivée',
  book: 'Réserver',
  nightMore: 'Une nuit de plus',
  nightLess: 'Une nuit de moins',
  close: 'Fermer',
  cell: (room, day, nights) =>
    plural(nights, {
      one: `Nouvelle réservation : ${room}, ${day}, 1 nuit`,
      other: `Nouvelle réservation : ${room}, ${day}, ${nights} nuits`,
    }),
  moveChosen: 'Changer de chambre',
  move: (guest) => `Une autre chambre pour ${guest}`,
  toRoom: 'Nouvelle chambre',
  moveTo: (room) => `Déplacer en ${room}`,
  nothingFree: 'Aucune autre chambre n’est libre pour tout le séjour.',
  keyIsOut:
    'Une clé est dehors : le client a besoin d’une nouvelle carte. Faites le changement sur sa fiche.',
  openSheet: 'Ouvrir le client',
  cancel: 'Annuler',
  isTried: 'Vérification en cours …',
  consequence: (from, to) =>
    `Le séjour passe de ${from} à ${to}. Aucune clé n’est dehors : aucune carte ne change.`,
  otherType: (from, to) => `La catégorie passe de ${from} à ${to}. Le prix ne change pas.`,
  roomIs: (room, status) => `Chambre ${room} maintenant : ${status}.`,
}
