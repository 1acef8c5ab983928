import type { OlderKeyTexts } from './en.ts'

export const de: OlderKeyTexts = {
  title: 'Schlüssel, die noch öffnen',
  meaning: 'Diese Karten und PINs sollen nichts mehr öffnen, aber das ist noch nicht bewiesen.',
  none: 'Jede Karte, die tot sein soll, ist nachweislich tot.',
  until: (time) => `kann öffnen bis ${time}`,
  whatToDo: 'Was zu tun ist:',
  noNewer:
    'Keine Karte dieses Zimmers öffnet jetzt. Machen Sie erst eine für den nächsten Gast oder löschen Sie die alte Karte.',
  itOpened: 'Die neue Karte hat diese Tür geöffnet',
  card: (start) => `Karte ${start}…`,
  pin: 'PIN',
  validUntil: (time) => `gemacht bis ${time}`,
  status: (status) =>
    ({
      blocked: 'verloren',
      superseded: 'ersetzt',
      expired: 'abgelaufen',
      revocationPending: 'entzogen, nicht bestätigt',
      invalidated: 'entzogen',
      unknown: 'unbekannt',
    })[status] ?? status,
  guest: 'Gast',
  next: 'Nächstes Zimmer',
  previous: 'Voriges Zimmer',
  open: 'Öffnen',
}
