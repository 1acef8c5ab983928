import type { UpdateTexts } from '../update-texts.ts'

export const de: UpdateTexts = {
  running: (version, slot) =>
    slot ? `Version ${version} läuft, auf Platz ${slot}.` : `Version ${version} läuft.`,
  noImage:
    'nightporter wurde auf diesem Rechner von Hand installiert und kann sich deshalb nicht selbst aktualisieren. Halten Sie das Programm an, ersetzen Sie seinen Ordner durch den neueren, und starten Sie es wieder.',
  newest: 'Eine neuere Version ist nicht bekannt.',
  available: (version) => `Version ${version} ist verfügbar`,
  security: 'Sicherheit',
  later: 'Später',
  install: 'Jetzt aktualisieren ...',
  check: 'Nach Updates suchen',
  checkedAt: (at) => `Zuletzt gesucht: ${at}`,
  heldUntil: (at) => `Verschoben bis ${at}`,
  resume: 'Nicht mehr verschieben',
  notOurTurn: (percent) =>
    `${percent} % der Boxen bekommen sie zuerst, und diese ist nicht dabei. Sie können sie trotzdem installieren.`,
  automatic: {
    none: 'Die Box installiert nichts von selbst.',
    security: (window) => `Die Box installiert Sicherheitsupdates von selbst, zwischen ${window}.`,
    all: (window) => `Die Box installiert Updates von selbst, zwischen ${window}.`,
  },
  dialog: (version) => `Update auf Version ${version}`,
  how: 'Die Box lädt die neue Version, macht eine Sicherung und startet für zwei bis drei Minuten neu, wenn keine Karte unterwegs und kein Gast am Kiosk ist. Wenn die neue Version mit Ihren Geräten und Daten nicht arbeitet, läuft von selbst wieder die alte.',
  restartNow: 'So bald wie möglich neu starten',
  restartAtNight: (window) => `Zwischen ${window} neu starten`,
  withoutBackup: 'Ohne Sicherung (nur für eine Box ohne Wiederherstellungsschlüssel)',
  begin: 'Beginnen',
  underWay: (version) => `Update auf Version ${version}`,
  steps: {
    downloading: 'Laden und prüfen',
    'backing-up': 'Sicherung machen',
    installing: 'Installieren',
    installed: 'Auf einen ruhigen Moment warten',
    restarting: 'Neu starten',
    trial: 'Neue Version erproben',
  },
  lacks: 'Der Probe fehlt noch:',
  keep: 'Neue Version trotzdem behalten',
  results: {
    confirmed: (version, at) => `Das Update auf Version ${version} ist am ${at} gelungen.`,
    'rolled-back': (version, at) =>
      `Das Update auf Version ${version} wurde am ${at} zurückgenommen. Die alte Version läuft wieder mit allen Daten.`,
    failed: (version, at) => `Das Update auf Version ${version} ist am ${at} gescheitert.`,
  },
}
