import { plural } from '../../../lib/language/format.ts'
import type { CardTexts } from '../texts.ts'

export const de: CardTexts = {
  making: (place) => `Karte an ${place}`,
  makingFor: (place, room) => `Karte an ${place}, Zimmer ${room}`,
  cardAt: 'Karte an',
  notReady: 'nicht bereit',
  noEncoder: 'Es gibt keinen Kodierer und keinen Kartenspender.',
  makingPin: (place) => `PIN von ${place}`,
  place: 'Karte auf den Kodierer legen',
  fed: 'Karte eingezogen',
  written: 'Geschrieben',
  compared: 'Zurückgelesen und verglichen',
  take: 'Karte nehmen',
  waiting: 'Die Box antwortet nicht. Die Seite fragt nach eben dieser Karte. Machen Sie keine zweite.',
  inHand: 'In der Hand',
  inHandWhy: 'Die Karte wurde zurückgelesen, ist richtig und ist ausgegeben.',
  machine: 'Was die Maschine sagt',
  help: {
    'dispenser-jam':
      'Öffnen Sie die Maschine, nehmen Sie die Karte heraus und schließen Sie sie. Machen Sie die Karte dann noch einmal.',
    'dispenser-empty':
      'Füllen Sie Karten nach und melden Sie es unter Geräte. Machen Sie die Karte dann noch einmal.',
    'dispenser-bin-full':
      'Leeren Sie den Behälter und melden Sie es unter Geräte. Machen Sie die Karte dann noch einmal.',
    'dispenser-offline': 'Prüfen Sie Strom und Kabel der Maschine. Sie verbindet sich von selbst.',
    'encoder-offline': 'Prüfen Sie das Kabel des Kodierers. Er verbindet sich von selbst.',
  } as Record<string, string>,
  healed: (place) => `${place} arbeitet wieder. Machen Sie die Karte noch einmal.`,
  helpElse: 'Unter Geräte steht, was zu tun ist.',
  pin: 'PIN',
  notMade: 'Nicht gemacht',
  notKnown: 'Nicht bekannt',
  notKnownWhy:
    'Sehen Sie nach, bevor Sie wiederholen: Die Karte kann gut sein. Die Box kann es klären. Sie macht keine zweite Karte, solange die erste gut ist.',
  makeSure: 'Klären',
  again: 'Noch einmal machen',
  override: 'Karte trotzdem machen',
  overrideTitle: (room) => `Karte für Zimmer ${room} trotzdem machen?`,
  overrideWhy:
    'Sobald diese Karte die Tür geöffnet hat, öffnen Karten eines anderen Gasts vielleicht nichts mehr. Machen Sie sie nur, wenn Sie wissen, warum das Zimmer richtig ist.',
  overrideReason: 'Grund',
  overrideHint:
    'Mindestens drei Buchstaben. Er bleibt mit Ihrem Namen im Protokoll: Schreiben Sie keinen Namen eines Gasts.',
  skip: (room) => `Weiter mit der Karte von Zimmer ${room}`,
  layNext: 'Nehmen Sie die Karte vom Kodierer, und legen Sie die nächste darauf.',
  nextCard: (room) => `Karte für Zimmer ${room} machen`,
  done: 'Fertig',
  next: (count) => plural(count, { one: '1 weitere Karte folgt.', other: `${count} weitere Karten folgen.` }),
  reasons: {
    captured: 'Niemand hat die Karte genommen. Die Maschine hat sie wieder, und ihr Schlüssel ist gesperrt.',
    left: 'Die Karte blieb in der Maschine. Ihr Schlüssel ist gesperrt.',
    failed: 'Die Karte ist fehlerhaft und wird nicht ausgegeben.',
  },
  noReason: 'Die Karte wurde nicht ausgegeben.',
  elsewhere: (name) => `Karte für ${name}`,
  show: 'Zeigen',
}
