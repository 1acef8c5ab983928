import { plural } from '../../../lib/language/format.ts'
import type { OlderKeyTexts } from '../texts.ts'

export const fr: OlderKeyTexts = {
  title: 'Cartes qui peuvent encore ouvrir',
  meaning: 'Ces cartes et codes ne doivent plus rien ouvrir, mais personne ne l’a encore prouvé.',
  none: 'Aucune carte remplacée, perdue ou expirée n’ouvre une porte qu’elle ne doit pas ouvrir. C’est prouvé pour chacune.',
  gone: (room, why) => `${room}: ${why}`,
  proofs: {
    'card-erased': 'la carte a été effacée.',
    'lock-acknowledged': 'le système de serrures a confirmé qu’elle n’ouvre plus cette porte.',
    'newer-original-used': 'une carte plus récente a ouvert la porte : la serrure refuse l’ancienne.',
    'validity-over': 'sa durée est écoulée, aussi à l’horloge de la serrure.',
    'never-made': 'aucune serrure ne l’a jamais reçue.',
  },
  until: (time) => `peut ouvrir jusqu’à ${time}`,
  whatToDo: 'Que faire :',
  renew:
    'Gardez la carte si le client l’a rendue. Sinon, faites une nouvelle première carte pour le client de cette chambre, ouvrez la porte avec elle une fois et appuyez sur le bouton qui apparaît alors ici. Si la chambre est vide, la première carte du prochain client met fin aux anciennes.',
  noNewer:
    'Aucune carte de cette chambre n’ouvre maintenant. Faites-en d’abord une pour le prochain client, ou effacez l’ancienne.',
  itOpened: 'La nouvelle carte a ouvert cette porte',
  openedTitle: (room) => `La nouvelle carte a-t-elle ouvert la ${room} ?`,
  openedWhich: (uid, time) =>
    `C’est la première carte la plus récente de la chambre, faite ${time}${uid ? ` (${uid})` : ''}.`,
  openedWhy:
    'Confirmez-le seulement si quelqu’un a ouvert la porte avec cette carte. Les cartes plus anciennes de la chambre sont alors données pour mortes.',
  card: (start) => `carte ${start}…`,
  pin: 'code',
  validUntil: (time) => `faite pour ouvrir jusqu’à ${time}`,
  status: (status) =>
    ({
      live: 'valable',
      virtual: 'non envoyée',
      blocked: 'perdue',
      superseded: 'remplacée',
      expired: 'échue',
      revocationPending: 'retirée, non confirmée',
      invalidated: 'retirée',
      unknown: 'inconnu',
    })[status] ?? status,
  guest: 'Client',
  asked: (count, next) =>
    plural(count, {
      one: `demandé une fois, non confirmé ; prochaine demande à ${next}`,
      other: `demandé ${count} fois, non confirmé ; prochaine demande à ${next}`,
    }),
  askNow: 'Demander maintenant',
  isOld: (room) => `Cette carte est pour ${room} et l’ouvre peut-être encore.`,
  isOldCommon: (room, doors) =>
    `Cette carte est pour ${room}. Elle ne l’ouvre plus, mais ouvre encore ${doors}.`,
  isOther: (room) => `Cette carte est pour ${room}. Elle n’est pas dans cette liste et reste comme elle est.`,
  erase: 'L’effacer',
  unknownTitle: 'Chambres à vérifier après la restauration',
  unknownWhy: (from, until) =>
    `Les cartes faites du ${from} au ${until} ne sont pas connues ici et ouvrent peut-être ces chambres.`,
  unknownRemedy:
    'Faites une nouvelle carte pour chaque chambre quand son client change, ouvrez une fois la porte avec elle et indiquez qu’elle a ouvert. Ou vérifiez la chambre et indiquez-le.',
  checked: 'Vérifiée',
  next: 'Chambre suivante',
  previous: 'Chambre précédente',
  open: 'Ouvrir',
}
