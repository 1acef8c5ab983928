import type { SearchTexts } from './en.ts'

export const fr: SearchTexts = {
  search: 'Chercher nom, numéro, chambre',
  results: 'Résultats',
  hint: 'Une partie du nom suffit, sans accents. Les quatre chiffres de la borne sont aussi trouvés.',
  none: 'Aucun client, numéro ou chambre trouvé.',
  partly: 'Une partie de la recherche n’a pas répondu.',
  walkIn: (text) => `Sans réservation : « ${text} »`,
  readCard: (place) => `Lire la carte à ${place}`,
  reading: 'Lecture de la carte …',
  blank: 'La carte est vierge.',
  unknownCard: 'La carte n’est d’aucune clé de cette maison.',
  noStay: (room) => `La carte n’est d’aucun séjour. Elle est pour ${room}.`,
  noRoom: 'pas de chambre',
  close: 'Fermer la recherche',
}
