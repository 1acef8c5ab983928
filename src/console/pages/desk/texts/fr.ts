import { plural } from '../../lib/language/format.ts'
import type { DeskTexts } from '../texts.ts'

export const fr: DeskTexts = {
  screens: {
    today: 'Aujourd’hui',
    rack: 'Planning des chambres',
    rooms: 'Chambres',
    keys: 'Cartes qui peuvent encore ouvrir',
    devices: 'Appareils',
    conflicts: 'Conflits avec le PMS',
    activity: 'Activité',
    walkIn: 'Sans réservation',
    lobby: 'Hall de démonstration',
  },
  frame: {
    place: 'Réception',
    alarms: (count) => plural(count, { one: '1 alarme', other: `${count} alarmes` }),
    keysMayOpen: (count) => `Cartes qui peuvent encore ouvrir : ${count}`,
    screens: 'Écrans',
    live: 'Connecté',
    noLine: 'Pas de connexion avec le boîtier',
    oldSince: (time) => `Pas de connexion avec le boîtier : ce que vous voyez date de ${time}`,
    oldWhy:
      'Rien ne peut être changé jusqu’au retour de la liaison, et rien de ce que vous pressez n’est envoyé plus tard. La page continue d’elle-même.',
    lock: 'Verrouiller',
    keysHelp: 'Touches du clavier',
    letters: 'Les lettres seules sont des raccourcis',
    notAllowed: 'Votre rôle ne montre pas cette page.',
    skip: 'Au contenu',
  },
  clockDoubt: {
    ask: (shown) => `Ce jour et cette heure sont-ils justes : ${shown} ?`,
    why: 'L’appareil était éteint, ou son horloge a été réglée, et rien n’a confirmé son heure depuis. Avec un mauvais jour, les clients ne sont pas trouvés et les cartes ouvrent aux mauvais jours. Si l’heure est fausse, ne faites pas de cartes et appelez l’administrateur.',
    isRight: 'Oui, c’est juste',
  },
  waiting: {
    call: (kiosk, time) => `Un client à ${kiosk} a besoin de quelqu’un depuis ${time}.`,
    aKiosk: 'une borne',
    take: 'J’arrive',
    code: (code) => `Code ${code}.`,
    speaks: (language) => `Le client a choisi ${language}.`,
    doing: {
      start: 'Le client était à la première page.',
      search: 'Le client cherchait la réservation.',
      booking: 'Le client regardait la réservation.',
      registration: 'Le client remplissait sa fiche.',
      payment: 'Le client allait payer.',
      card: 'Le client allait recevoir la carte.',
      'check-out': 'Le client allait partir.',
    },
    guest: (code, time) => `Un client de la borne attend depuis ${time}. Code ${code}.`,
    failures: {
      'guest-asks': 'Le client a demandé de l’aide.',
      'stay-over':
        'L’heure de départ du séjour est atteinte. Fixez-en une plus tardive ; le client continue ensuite à la borne.',
      'check-out-without-card':
        'Le client veut partir et n’a pas de carte à montrer. Si vous êtes sûr de qui il s’agit, enregistrez le départ ou autorisez-le à la borne.',
      'card-not-read':
        'La machine a gardé une carte qu’elle n’a pas pu lire. Enregistrez le départ quand vous êtes sûr de qui il s’agit.',
      'card-lost': 'Le client a perdu sa carte.',
      'balance-outstanding': 'Le client doit encore payer.',
      'registration-required': 'Un client doit être enregistré.',
      'payment-refused': 'Le paiement a été refusé.',
      'payment-outcome-unknown': 'On ne sait pas si le client a payé.',
    },
    steps: {
      room: 'La borne n’a pas pu attribuer de chambre.',
      'check-in': 'La borne n’a pas pu enregistrer l’arrivée du client.',
      'check-out': 'La borne n’a pas pu enregistrer le départ du client.',
      payment: 'La borne n’a pas pu encaisser le paiement.',
      card: 'La borne n’a pas pu faire la carte.',
    },
    open: 'Ouvrir le client',
    helped: 'Le client a été aidé',
    soundOn: 'Son pour un client qui attend : oui',
    soundOff: 'Son pour un client qui attend : non',
  },
  person: {
    changePasscode: 'Changer le code',
    changePassword: 'Changer le mot de passe',
    presentSecret: 'Code ou mot de passe actuel',
    secretChanged: 'C’est changé. Utilisez le nouveau désormais.',
    ownSessions: 'Où vous êtes connecté',
    thisSession: 'ici',
    lastUsed: (time) => `utilisé le ${time}`,
    endSession: 'Terminer',
  },
  pms: {
    inStep: 'PMS : à jour',
    behind: (waiting, seconds) => `PMS : ${waiting} à envoyer, ${seconds} s de retard`,
    awaySince: (time, waiting) =>
      `Pas de liaison avec le PMS depuis ${time}. ${waiting} à envoyer ; rien n’est perdu.`,
    away: (waiting) => `Pas de liaison avec le PMS. ${waiting} à envoyer ; rien n’est perdu.`,
  },
}
