import type { NetworkTexts } from '../network-texts.ts'

export const fr: NetworkTexts = {
  notAnImage: 'Cette machine n’exécute pas l’image d’un boîtier. Son propre système règle le réseau.',
  why: 'Un changement est à l’essai pendant deux minutes. Si vous ne le gardez pas à la nouvelle adresse, le boîtier l’annule : aucune erreur ne vous enferme dehors.',
  address: 'Adresse',
  addressHint: 'dhcp, ou une adresse comme 192.168.1.10/24',
  gateway: 'Passerelle',
  gatewayHint: 'Vide s’il n’y en a pas : le boîtier n’atteint alors que son propre réseau.',
  dns: 'Serveurs de noms',
  dnsHint: 'Adresses séparées par des espaces. Avec dhcp, elles viennent toutes seules.',
  change: 'Essayer ce réseau',
  underWay: 'Le réseau change. Si cette page ne répond plus, ouvrez la nouvelle adresse.',
  openThere: 'Ouvrez la page à la nouvelle adresse et gardez le réseau là-bas :',
  lookAtScreen:
    'Le boîtier reçoit maintenant son adresse du réseau. Son écran l’affiche : ouvrez la page à cette adresse.',
  keep: 'Garder ce réseau',
  onTrial: (time) => `Un nouveau réseau est à l’essai jusqu’à ${time}.`,
  results: {
    kept: 'Le nouveau réseau est gardé.',
    undone: 'Le changement a été annulé : personne ne l’a gardé en deux minutes.',
  },
}
