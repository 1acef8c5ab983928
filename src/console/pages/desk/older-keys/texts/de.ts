import { plural } from '../../../lib/language/format.ts'
import type { OlderKeyTexts } from '../texts.ts'

export const de: OlderKeyTexts = {
  title: 'Karten, die noch öffnen können',
  meaning: 'Diese Karten und PINs sollen nichts mehr öffnen, aber das ist noch nicht bewiesen.',
  none: 'Keine ersetzte, verlorene oder abgelaufene Karte öffnet eine Tür, die sie nicht öffnen soll. Das ist für jede nachgewiesen.',
  gone: (room, why) => `${room}: ${why}`,
  proofs: {
    'card-erased': 'Die Karte wurde gelöscht.',
    'lock-acknowledged': 'Das Schließsystem hat bestätigt, dass sie diese Tür nicht mehr öffnet.',
    'newer-original-used': 'Eine neuere Karte hat die Tür geöffnet, also lehnt das Schloss die alte ab.',
    'validity-over': 'Ihre Zeit ist um, auch nach der Uhr des Schlosses.',
    'never-made': 'Kein Schloss hat sie je erhalten.',
  },
  until: (time) => `kann öffnen bis ${time}`,
  whatToDo: 'Was zu tun ist:',
  renew:
    'Behalten Sie die Karte, wenn der Gast sie zurückgegeben hat. Sonst machen Sie eine neue erste Karte für den Gast dieses Zimmers, lassen sie die Tür einmal öffnen und drücken den Knopf, der dann hier erscheint. Ist das Zimmer leer, beendet die erste Karte des nächsten Gastes die alten.',
  noNewer:
    'Keine Karte dieses Zimmers öffnet jetzt. Machen Sie erst eine für den nächsten Gast oder löschen Sie die alte Karte.',
  itOpened: 'Die neue Karte hat diese Tür geöffnet',
  openedTitle: (room) => `Hat die neue Karte ${room} geöffnet?`,
  openedWhich: (uid, time) =>
    `Es ist die neueste erste Karte des Zimmers, gemacht ${time}${uid ? ` (${uid})` : ''}.`,
  openedWhy:
    'Bestätigen Sie es nur, wenn jemand die Tür mit dieser Karte geöffnet hat. Die älteren Karten des Zimmers gelten dann als tot.',
  card: (start) => `Karte ${start}…`,
  pin: 'PIN',
  validUntil: (time) => `gemacht bis ${time}`,
  status: (status) =>
    ({
      live: 'gültig',
      virtual: 'nicht gesendet',
      blocked: 'verloren',
      superseded: 'ersetzt',
      expired: 'abgelaufen',
      revocationPending: 'entzogen, nicht bestätigt',
      invalidated: 'entzogen',
      unknown: 'unbekannt',
    })[status] ?? status,
  guest: 'Gast',
  asked: (count, next) =>
    plural(count, {
      one: `einmal gefragt, nicht bestätigt; nächste Frage um ${next}`,
      other: `${count}-mal gefragt, nicht bestätigt; nächste Frage um ${next}`,
    }),
  askNow: 'Jetzt fragen',
  isOld: (room) => `Diese Karte ist für ${room} und öffnet es vielleicht noch.`,
  isOldCommon: (room, doors) => `Diese Karte ist für ${room}. Sie öffnet es nicht mehr, aber noch: ${doors}.`,
  isOther: (room) => `Diese Karte ist für ${room}. Sie ist keine Karte dieser Liste und bleibt, wie sie ist.`,
  erase: 'Löschen',
  unknownTitle: 'Nach der Wiederherstellung zu prüfende Zimmer',
  unknownWhy: (from, until) =>
    `Karten, die von ${from} bis ${until} gemacht wurden, sind hier nicht bekannt und öffnen vielleicht diese Zimmer.`,
  unknownRemedy:
    'Machen Sie für jedes Zimmer beim nächsten Gast eine neue Karte, öffnen Sie damit einmal die Tür, und melden Sie, dass sie geöffnet hat. Oder prüfen Sie das Zimmer und bestätigen Sie es.',
  checked: 'Geprüft',
  next: 'Nächstes Zimmer',
  previous: 'Voriges Zimmer',
  open: 'Öffnen',
}
