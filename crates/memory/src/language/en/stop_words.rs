//! English: words that say nothing about what a text is about.
//!
//! Without `will`, `may` and `us`, which are also a man, a woman and a country: they are frequent enough to weigh little.

pub(super) const STOP_WORDS: &str = "
    a about above after again against all also am an and any are aren't as at be because been before being
    below between both but by can can't cannot could couldn't did didn't do does doesn't doing don't done
    down during each either else ever few for from further get gets getting got had hadn't has hasn't have
    haven't having he her here hers herself him himself his how i if im in into is isn't it its itself ive
    just let me might more most much must my myself neither no nor not of off on once only or other our ours
    ourselves out over own same shall she should shouldn't so some such than that thats the their theirs
    them themselves then there these they theyre this those though through to too under until up upon very
    was wasn't we were weren't what whats when where whether which while who whom whose why with within
    without won't would wouldn't yes yet you your youre yours yourself yourselves";

/// English words and names with a meaning of their own that are stop words in another language. They stay in the
/// index when English is configured too: a stop word that is indexed costs a little, a `son` that is not is lost.
pub(in crate::language) const CONTENT_WORDS: &str = "
    al ben bin come dan den die door dove end era hat hem jo man men mia mine ned pour reeds sea sin son sue ton tot una
    van want war";
