import { plural } from '../../lib/format.ts'
import type { DeskTexts } from './en.ts'

export const de: DeskTexts = {
  screens: {
    today: 'Heute',
    rack: 'Zimmerplan',
    rooms: 'Zimmer',
    keys: 'Schlüssel, die noch öffnen',
    devices: 'Geräte',
    conflicts: 'PMS-Konflikte',
    walkIn: 'Walk-in',
    lobby: 'Demo-Lobby',
  },
  frame: {
    alarms: (count) => plural(count, { one: '1 Alarm', other: `${count} Alarme` }),
    keysMayOpen: (count) => `Schlüssel, die noch öffnen: ${count}`,
    screens: 'Seiten',
    search: 'Suche',
    live: 'Verbindung zur Box: steht',
    noLine: 'Keine Verbindung zur Box',
    lock: 'Sperren',
    keysHelp: 'Tasten',
    letters: 'Einzelne Buchstaben sind Tastenkürzel',
    notAllowed: 'Ihre Rolle zeigt diese Seite nicht.',
    soon: 'Diese Seite gibt es nicht.',
    skip: 'Zum Inhalt',
  },
}
