//! French: words that say nothing about what a text is about.

pub(super) const STOP_WORDS: &str = "
    à ai ait alors as au aucun aucune aussi autre autres aux avait avec avez avoir avons c ce ceci cela celle celles
    celui ces cet cette ceux chaque chez comme comment d dans de depuis des donc dont du elle elles en encore entre es
    est et étaient était étant être eu eux fait il ils j je l la le les leur leurs lors lorsqu lui m ma mais me même
    mes moi mon n ne ni nos notre nous on ont ou où par parce pas peu plus pour pourquoi près qu quand que quel quelle
    quelles quels qui s sa sans se selon ses si son sont sous sur t ta te tes toi ton tous tout toute toutes très tu
    un une vos votre vous y";
