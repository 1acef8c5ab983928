import { plural } from '../../lib/language/format.ts'
import type { DeskTexts } from '../texts.ts'

export const de: DeskTexts = {
  screens: {
    today: 'Heute',
    rack: 'Zimmerplan',
    rooms: 'Zimmer',
    keys: 'Karten, die noch öffnen können',
    devices: 'Geräte',
    conflicts: 'PMS-Konflikte',
    activity: 'Aktivität',
    walkIn: 'Walk-in',
    lobby: 'Demo-Lobby',
  },
  frame: {
    place: 'Empfang',
    alarms: (count) => plural(count, { one: '1 Alarm', other: `${count} Alarme` }),
    keysMayOpen: (count) => `Karten, die noch öffnen können: ${count}`,
    screens: 'Seiten',
    live: 'Verbunden',
    noLine: 'Keine Verbindung zur Box',
    oldSince: (time) => `Keine Verbindung zur Box: Was Sie sehen, ist von ${time}`,
    oldWhy:
      'Bis die Verbindung wieder da ist, kann nichts geändert werden, und nichts, was Sie drücken, wird später gesendet. Die Seite macht selbst weiter.',
    lock: 'Sperren',
    keysHelp: 'Tasten',
    letters: 'Einzelne Buchstaben sind Tastenkürzel',
    notAllowed: 'Ihre Rolle zeigt diese Seite nicht.',
    skip: 'Zum Inhalt',
  },
  clockDoubt: {
    ask: (shown) => `Stimmen Tag und Uhrzeit: ${shown}?`,
    why: 'Die Box war aus, oder ihre Uhr wurde gestellt, und seitdem hat nichts ihre Zeit bestätigt. An einem falschen Tag werden Gäste nicht gefunden, und Karten öffnen an falschen Tagen. Stimmt die Zeit nicht, machen Sie keine Karten, und rufen Sie den Administrator.',
    isRight: 'Ja, sie stimmt',
  },
  waiting: {
    call: (kiosk, time) => `Ein Gast an ${kiosk} braucht einen Menschen, seit ${time}.`,
    aKiosk: 'einem Kiosk',
    take: 'Ich komme',
    code: (code) => `Code ${code}.`,
    speaks: (language) => `Der Gast hat ${language} gewählt.`,
    doing: {
      start: 'Der Gast war auf der ersten Seite.',
      search: 'Der Gast suchte die Buchung.',
      booking: 'Der Gast sah die Buchung an.',
      registration: 'Der Gast füllte die Meldung aus.',
      payment: 'Der Gast wollte zahlen.',
      card: 'Der Gast wollte die Karte.',
      'check-out': 'Der Gast wollte auschecken.',
    },
    guest: (code, time) => `Ein Gast vom Kiosk wartet seit ${time}. Code ${code}.`,
    failures: {
      'guest-asks': 'Der Gast hat um Hilfe gebeten.',
      'stay-over':
        'Die Abreisezeit des Aufenthalts ist erreicht. Tragen Sie eine spätere ein; dann macht der Gast am Kiosk weiter.',
      'check-out-without-card':
        'Der Gast möchte auschecken und hat keine Karte, die es belegt. Wenn Sie sicher sind, wer es ist: auschecken oder für den Kiosk freigeben.',
      'card-not-read':
        'Das Gerät hat eine Karte behalten, die es nicht lesen konnte. Checken Sie den Gast aus, wenn Sie sicher sind, wer es ist.',
      'card-lost': 'Der Gast hat die Karte verloren.',
      'balance-outstanding': 'Der Gast muss noch zahlen.',
      'registration-required': 'Ein Gast muss gemeldet werden.',
      'payment-refused': 'Die Zahlung wurde abgelehnt.',
      'payment-outcome-unknown': 'Es ist nicht bekannt, ob der Gast gezahlt hat.',
    },
    steps: {
      room: 'Der Kiosk konnte kein Zimmer zuweisen.',
      'check-in': 'Der Kiosk konnte den Gast nicht einchecken.',
      'check-out': 'Der Kiosk konnte den Gast nicht auschecken.',
      payment: 'Der Kiosk konnte die Zahlung nicht annehmen.',
      card: 'Der Kiosk konnte die Karte nicht herstellen.',
    },
    open: 'Gast öffnen',
    helped: 'Dem Gast ist geholfen',
    soundOn: 'Ton bei wartendem Gast: an',
    soundOff: 'Ton bei wartendem Gast: aus',
  },
  person: {
    changePasscode: 'Code ändern',
    changePassword: 'Passwort ändern',
    presentSecret: 'Bisheriger Code oder bisheriges Passwort',
    secretChanged: 'Geändert. Ab jetzt gilt das neue.',
    ownSessions: 'Wo Sie angemeldet sind',
    thisSession: 'hier',
    lastUsed: (time) => `zuletzt benutzt ${time}`,
    endSession: 'Beenden',
  },
  pms: {
    inStep: 'PMS: auf gleichem Stand',
    behind: (waiting, seconds) => `PMS: ${waiting} warten auf das Senden, ${seconds} s im Rückstand`,
    awaySince: (time, waiting) =>
      `Keine Verbindung zum PMS seit ${time}. ${waiting} warten auf das Senden; nichts geht verloren.`,
    away: (waiting) => `Keine Verbindung zum PMS. ${waiting} warten auf das Senden; nichts geht verloren.`,
  },
}
