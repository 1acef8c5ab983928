import { plural } from '../../lib/format.ts'
import type { DeskTexts } from './en.ts'

export const fr: DeskTexts = {
  screens: {
    today: 'Aujourd’hui',
    rack: 'Planning des chambres',
    rooms: 'Chambres',
    keys: 'Clés qui peuvent ouvrir',
    devices: 'Appareils',
    conflicts: 'Conflits avec le PMS',
    walkIn: 'Sans réservation',
    lobby: 'Hall de démonstration',
  },
  frame: {
    alarms: (count) => plural(count, { one: '1 alarme', other: `${count} alarmes` }),
    keysMayOpen: (count) => `Clés qui peuvent ouvrir : ${count}`,
    screens: 'Écrans',
    search: 'Rechercher',
    live: 'Liaison avec le boîtier : active',
    noLine: 'Pas de liaison avec le boîtier',
    lock: 'Verrouiller',
    keysHelp: 'Touches du clavier',
    letters: 'Les lettres seules sont des raccourcis',
    notAllowed: 'Votre rôle ne montre pas cette page.',
    soon: 'Cet écran n’existe pas.',
    skip: 'Au contenu',
  },
}
