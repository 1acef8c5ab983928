import type { RecoveryTexts } from '../texts.ts'

export const fr: RecoveryTexts = {
  title: 'Feuille de récupération',
  none: 'Il n’y a pas de feuille de récupération, donc aucune sauvegarde n’est faite. Si le boîtier est perdu, tout ce qu’il contient est perdu. Faites la feuille maintenant ; deux minutes suffisent.',
  otherKey:
    'Les sauvegardes sont chiffrées avec une clé faite en ligne de commande. Une feuille de mots est un second moyen de les ouvrir.',
  keptAt: (at) =>
    `La feuille de récupération du ${at} ouvre chaque sauvegarde depuis lors. Gardez-la comme le passe général.`,
  make: 'Faire la feuille de récupération',
  makeAnother: 'Faire une autre feuille',
  sheetOf: (hotel) => `Feuille de récupération ${hotel}`.trim(),
  what: (at) =>
    `Faite le ${at}. Qui possède ces 24 mots peut ouvrir toutes les sauvegardes de cet hôtel. Le boîtier ne les a pas.`,
  how: 'Après la perte du boîtier : ouvrez la page du nouveau boîtier, choisissez « Restaurer une sauvegarde » et saisissez les mots dans cet ordre. Gardez une feuille au coffre et une autre dans un autre bâtiment.',
  print: 'Imprimer',
  save: 'Enregistrer dans un fichier',
  next: 'Je l’ai sur papier',
  onlyHere:
    'Les mots ne sont affichés qu’ici, et plus jamais ensuite. La feuille compte dès que vous en avez saisi quelques-uns.',
  typeBack: 'Lisez ces mots sur le papier. Les quatre premières lettres suffisent.',
  word: (number) => `Mot ${number}`,
  confirm: 'Cette feuille compte',
  showAgain: 'Afficher de nouveau les mots',
}
