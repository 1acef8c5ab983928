import { plural } from '../../../lib/language/format.ts'
import type { RoomTexts } from '../texts.ts'

export const fr: RoomTexts = {
  title: 'Chambres',
  none: 'Pas encore de chambres. Créez-les dans la configuration.',
  howTo:
    'Choisissez des chambres, puis leur nouvel état. Hors service : n’est pas donnée aux clients. En panne : n’est pas vendue non plus.',
  noneOfThese: 'Aucune chambre n’est ainsi.',
  all: 'Toutes',
  allFloors: 'Tous les étages',
  floor: (name) => `Étage ${name}`,
  byStatus: 'Par état',
  byFloor: 'Par étage',
  arrivesToday: 'Arrivée aujourd’hui',
  leavesToday: 'Départ aujourd’hui',
  occupied: 'Client présent',
  setStatus: 'Nouvel état',
  chosen: (count) => plural(count, { one: '1 chambre choisie', other: `${count} chambres choisies` }),
  chooseNone: 'Ne rien choisir',
  next: 'Chambre suivante',
  previous: 'Chambre précédente',
  open: 'Choisir la chambre',
  changed: (names) => `Modifié : ${names}.`,
  undo: 'Annuler la modification',
  block: 'Bloquer des jours',
  blockTitle: (rooms) => `Bloquer des jours : ${rooms}`,
  blockWhy: 'Ces jours-là, la chambre n’est ni vendue ni attribuée. Le dernier jour compte.',
  firstDay: 'Premier jour',
  lastDay: 'Dernier jour',
  badDays: 'Le dernier jour précède le premier.',
  reason: 'Raison',
  expectedUntil: 'Prévu jusqu’au',
  untilWhy: 'Le dernier jour. Vide : inconnu. La chambre reste en panne jusqu’à ce que son état soit changé.',
  pastDay: 'Ce jour est déjà passé.',
  blockedFrom: (from, until) => `bloquée ${from} – ${until}`,
  unblock: 'Débloquer',
  makeStaffCard: 'Carte pour le personnel',
  staffCard: (room) => `Carte pour le personnel : chambre ${room}`,
  staffCardWhy:
    'Cette carte ouvre la chambre une fois, pour une réparation ou un contrôle. Elle n’appartient à aucun client et n’annule aucune autre carte.',
  staffCardOccupied:
    'Un client occupe cette chambre. Tant qu’une de ses cartes l’ouvre, le boîtier ne fait pas de carte pour le personnel : allez-y avec le client.',
  howLong: 'La carte est valable',
  minutes: (minutes) => {
    const count = minutes < 60 ? minutes : minutes / 60
    return minutes < 60 ? `${count} minutes` : plural(count, { one: '1 heure', other: `${count} heures` })
  },
  staff: 'Personnel',
  noEncoder: 'Il n’y a ni encodeur ni distributeur de cartes.',
}
