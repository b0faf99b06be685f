use memory::ports::*;
use memory::recall::*;
use memory::settings::Settings;
use memory::types::*;
use std::sync::Arc;
use std::time::Instant;
use store::*;
#[tokio::main]
async fn main() {
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let dir = tempfile::tempdir().unwrap();
    let e: Arc<dyn Embedder> = Arc::new(models::Builtin);
    let t = Tenants::open_folder(
        dir.path(),
        Options { durability: Durability::Normal, embedder: Some(e.clone()), ..Options::default() },
    )
    .unwrap();
    let tenant = t.open(&t.authenticate(Credential::Loopback).await.unwrap()).await.unwrap();
    let words: Vec<&str> = include_str!("../../../assets/embedding/vocab.txt")
        .lines()
        .filter(|w| w.len() > 3 && w.chars().all(|c| c.is_ascii_lowercase()))
        .collect();
    let mut s = 88172645463325252u64;
    let mut rnd = move || {
        s ^= s << 13;
        s ^= s >> 7;
        s ^= s << 17;
        s
    };
    let mut sentence = |len: usize| {
        (0..len)
            .map(|_| {
                let r = (rnd() % 1_000_000) as f64 / 1e6;
                words[((r * r * r) * words.len() as f64) as usize]
            })
            .collect::<Vec<_>>()
            .join(" ")
    };
    let clock = SystemClock;
    let now = clock.now();
    let st = Instant::now();
    for _ in 0..n.div_ceil(500) {
        let mut b = Batch::new(Actor::Import, now);
        for _ in 0..500 {
            b = b.insert(Memory::new(
                MemoryId::from_uuid(clock.uuid()),
                TenantId::local(),
                &Owner::unnamed(),
                Kind::Fact,
                sentence(12),
                now,
            ));
        }
        tenant.apply(b).await.unwrap();
    }
    println!("insert {n}: {:?}", st.elapsed());
    let st = Instant::now();
    tenant.load_vectors().await.unwrap();
    println!("load {:?}", st.elapsed());
    let settings = Settings::default();
    let qs: Vec<String> = (0..50).map(|_| sentence(6)).collect();
    let filter = Filter::current(now);
    let time = |name: &'static str, v: &mut Vec<f64>| {
        v.sort_by(f64::total_cmp);
        println!("{name}: p50 {:.2} ms p95 {:.2}", v[v.len() / 2], v[v.len() * 95 / 100]);
    };
    macro_rules! t {
        ($name:literal, $e:expr) => {{
            let mut v = vec![];
            for q in &qs {
                let q = q.clone();
                let st = Instant::now();
                let _ = $e(q).await;
                v.push(st.elapsed().as_secs_f64() * 1e3);
            }
            time($name, &mut v);
        }};
    }
    let a = tenant.analyser();
    t!("nominate", async |q: String| tenant
        .nominate(Corpus::Memories, &memory::text::query::plain(&q, a), &filter, 100)
        .await
        .unwrap());
    t!("near", async |q: String| {
        let v = e.embed(&[q]).await.unwrap();
        tenant.nominate_near(Corpus::Memories, e.signature(), &v[0], &filter, 100).await.unwrap()
    });
    t!("statistics", async |q: String| tenant
        .statistics(Corpus::Memories, &memory::text::query::plain(&q, a).terms)
        .await
        .unwrap());
    let rows: Vec<i64> = (1..200).map(|i| i * (n as i64 / 250).max(1)).collect();
    t!("documents", async |_q: String| tenant.documents(Corpus::Memories, &rows).await.unwrap());
    t!("vectors_at", async |_q: String| tenant
        .vectors_at(Corpus::Memories, e.signature(), &rows)
        .await
        .unwrap());
    let ids: Vec<MemoryId> = tenant
        .documents(Corpus::Memories, &rows)
        .await
        .unwrap()
        .into_iter()
        .map(|d| d.id.parse().unwrap())
        .collect();
    t!("memories", async |_q: String| tenant.memories(&ids).await.unwrap());
    t!("counters", async |_q: String| tenant.counters(&ids).await.unwrap());
    let mut rf = Filter::current(now);
    rf.kinds = vec![Kind::Rule];
    rf.viewer = Some(Viewer { owner: Owner::unnamed(), session: None });
    t!("rules", async |_q: String| tenant.list_memories(&rf, PageRequest::first(50)).await.unwrap());
    t!("head", async |_q: String| tenant.head().await.unwrap());
    t!("entities", async |_q: String| tenant.list_entities(&rf, PageRequest::first(1000)).await.unwrap());
    t!("overrides", async |_q: String| tenant.overrides(&UserId::unnamed()).await.unwrap());
    t!("bare stat", async |_q: String| tenant.statistics(Corpus::Memories, &[]).await.unwrap());
    let r = Recaller {
        store: Arc::new(tenant.clone()),
        embedder: Some(e.clone()),
        reranker: None,
        settings: settings.clone(),
    };
    t!("search", async |q: String| {
        let q = SearchRequest::new(q, vec![Corpus::Memories], filter.clone(), &settings, now);
        r.search(a, &q).await.unwrap()
    });
    println!(
        "{}",
        std::fs::read_to_string("/proc/self/status")
            .unwrap()
            .lines()
            .find(|l| l.starts_with("VmRSS"))
            .unwrap()
    );
}
