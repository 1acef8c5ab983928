import { plural } from '../../../lib/language/format.ts'
import type { RoomTexts } from '../texts.ts'

export const de: RoomTexts = {
  title: 'Zimmer',
  none: 'Noch keine Zimmer. Legen Sie sie in der Einrichtung an.',
  howTo:
    'Wählen Sie Zimmer, dann den neuen Status. Außer Betrieb: wird nicht an Gäste gegeben. Gesperrt: wird auch nicht verkauft.',
  noneOfThese: 'Kein Zimmer ist so.',
  all: 'Alle',
  allFloors: 'Alle Etagen',
  floor: (name) => `Etage ${name}`,
  byStatus: 'Nach Stand',
  byFloor: 'Nach Etage',
  arrivesToday: 'Anreise heute',
  leavesToday: 'Abreise heute',
  occupied: 'Gast im Haus',
  setStatus: 'Neuer Stand',
  chosen: (count) => plural(count, { one: '1 Zimmer gewählt', other: `${count} Zimmer gewählt` }),
  chooseNone: 'Auswahl aufheben',
  next: 'Nächstes Zimmer',
  previous: 'Voriges Zimmer',
  open: 'Zimmer wählen',
  changed: (names) => `Geändert: ${names}.`,
  undo: 'Zurücknehmen',
  block: 'Für Tage sperren',
  blockTitle: (rooms) => `Für Tage sperren: ${rooms}`,
  blockWhy: 'An diesen Tagen wird das Zimmer nicht verkauft und nicht vergeben. Der letzte Tag zählt mit.',
  firstDay: 'Erster Tag',
  lastDay: 'Letzter Tag',
  badDays: 'Der letzte Tag liegt vor dem ersten.',
  reason: 'Grund',
  expectedUntil: 'Voraussichtlich bis',
  untilWhy: 'Der letzte Tag. Leer: nicht bekannt. Das Zimmer bleibt gesperrt, bis sein Stand geändert wird.',
  pastDay: 'Der Tag ist schon vorbei.',
  blockedFrom: (from, until) => `gesperrt ${from} – ${until}`,
  unblock: 'Freigeben',
  makeStaffCard: 'Karte fürs Personal',
  staffCard: (room) => `Karte fürs Personal: Zimmer ${room}`,
  staffCardWhy:
    'Diese Karte öffnet das Zimmer einmal, für eine Reparatur oder Kontrolle. Sie gehört zu keinem Gast und beendet keine andere Karte.',
  staffCardOccupied:
    'In diesem Zimmer ist ein Gast. Solange eine Karte des Gastes es öffnet, macht die Box keine Karte für das Personal: Gehen Sie mit dem Gast hin.',
  howLong: 'Die Karte gilt für',
  minutes: (minutes) => {
    const count = minutes < 60 ? minutes : minutes / 60
    return minutes < 60 ? `${count} Minuten` : plural(count, { one: '1 Stunde', other: `${count} Stunden` })
  },
  staff: 'Personal',
  noEncoder: 'Es gibt keinen Kodierer oder Spender für Karten.',
}
