import { plural } from '../../../lib/format.ts'
import type { RoomTexts } from './en.ts'

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
  changed: (names) => `Modifié : ${names}.`,
  undo: 'Annuler la modification',
  status: {
    Dirty: 'Sale',
    Cleaning: 'Nettoyage en cours',
    Clean: 'Propre',
    Inspected: 'Contrôlée',
    OutOfService: 'Hors service',
    OutOfOrder: 'En panne',
  },
}
