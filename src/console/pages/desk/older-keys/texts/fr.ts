import type { OlderKeyTexts } from './en.ts'

export const fr: OlderKeyTexts = {
  title: 'Clés qui peuvent ouvrir',
  meaning: 'Ces cartes et codes ne doivent plus rien ouvrir, mais personne ne l’a encore prouvé.',
  none: 'Toute carte qui doit être morte l’est, c’est prouvé.',
  until: (time) => `peut ouvrir jusqu’à ${time}`,
  whatToDo: 'Que faire :',
  noNewer:
    'Aucune carte de cette chambre n’ouvre maintenant. Faites-en d’abord une pour le prochain client, ou effacez l’ancienne.',
  itOpened: 'La nouvelle carte a ouvert cette porte',
  card: (start) => `carte ${start}…`,
  pin: 'code',
  validUntil: (time) => `faite pour ouvrir jusqu’à ${time}`,
  status: (status) =>
    ({
      blocked: 'perdue',
      superseded: 'remplacée',
      expired: 'échue',
      revocationPending: 'retirée, non confirmée',
      invalidated: 'retirée',
      unknown: 'inconnu',
    })[status] ?? status,
  guest: 'Client',
  next: 'Chambre suivante',
  previous: 'Chambre précédente',
  open: 'Ouvrir',
}
