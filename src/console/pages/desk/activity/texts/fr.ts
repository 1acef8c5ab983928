import type { ActivityTexts } from '../texts.ts'

export const fr: ActivityTexts = {
  title: 'Activité',
  time: 'Heure',
  who: 'Qui',
  what: 'Ce qui s’est passé',
  about: 'Client, chambre',
  person: 'Personne',
  everybody: 'Tous',
  allRooms: 'Toutes les chambres',
  day: 'Jour',
  newer: 'Plus récent',
  older: 'Plus ancien',
  none: 'Rien ici.',
  roomStatus: 'État de la chambre',
  blocked: (dates) => `Bloquée : ${dates}`,
  unblocked: (dates) => `Blocage terminé : ${dates}`,
  box: 'Le boîtier',
  bounded: 'D’une chambre, les séjours les plus récents sont cherchés, avec leurs clés et paiements.',
}
