#include "CData.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char index_page[] = {
#embed "../../../data/docs/guide/README.md"
};
static const unsigned char busy_line[] = {
#embed "../../../data/docs/guide/busy-line.md"
};
static const unsigned char caches_as_found[] = {
#embed "../../../data/docs/guide/caches-as-found.md"
};
static const unsigned char charts[] = {
#embed "../../../data/docs/guide/charts.md"
};
static const unsigned char check_a_resolver[] = {
#embed "../../../data/docs/guide/check-a-resolver.md"
};
static const unsigned char ci[] = {
#embed "../../../data/docs/guide/ci.md"
};
static const unsigned char compare[] = {
#embed "../../../data/docs/guide/compare.md"
};
static const unsigned char configure[] = {
#embed "../../../data/docs/guide/configure.md"
};
static const unsigned char connections[] = {
#embed "../../../data/docs/guide/connections.md"
};
static const unsigned char container[] = {
#embed "../../../data/docs/guide/container.md"
};
static const unsigned char content_and_browser_waits[] = {
#embed "../../../data/docs/guide/content-and-browser-waits.md"
};
static const unsigned char dashboard[] = {
#embed "../../../data/docs/guide/dashboard.md"
};
static const unsigned char digest[] = {
#embed "../../../data/docs/guide/digest.md"
};
static const unsigned char encrypted_addresses[] = {
#embed "../../../data/docs/guide/encrypted-addresses.md"
};
static const unsigned char encrypted_transports[] = {
#embed "../../../data/docs/guide/encrypted-transports.md"
};
static const unsigned char evidence_for_others[] = {
#embed "../../../data/docs/guide/evidence-for-others.md"
};
static const unsigned char expected_answers[] = {
#embed "../../../data/docs/guide/expected-answers.md"
};
static const unsigned char home_assistant[] = {
#embed "../../../data/docs/guide/home-assistant.md"
};
static const unsigned char many_places[] = {
#embed "../../../data/docs/guide/many-places.md"
};
static const unsigned char names_and_types[] = {
#embed "../../../data/docs/guide/names-and-types.md"
};
static const unsigned char objectives_and_alerts[] = {
#embed "../../../data/docs/guide/objectives-and-alerts.md"
};
static const unsigned char opentelemetry[] = {
#embed "../../../data/docs/guide/opentelemetry.md"
};
static const unsigned char own_nameservers[] = {
#embed "../../../data/docs/guide/own-nameservers.md"
};
static const unsigned char plan_a_run[] = {
#embed "../../../data/docs/guide/plan-a-run.md"
};
static const unsigned char platforms[] = {
#embed "../../../data/docs/guide/platforms.md"
};
static const unsigned char prometheus_and_grafana[] = {
#embed "../../../data/docs/guide/prometheus-and-grafana.md"
};
static const unsigned char read_a_report[] = {
#embed "../../../data/docs/guide/read-a-report.md"
};
static const unsigned char registered_metrics[] = {
#embed "../../../data/docs/guide/registered-metrics.md"
};
static const unsigned char reports_of_many_places[] = {
#embed "../../../data/docs/guide/reports-of-many-places.md"
};
static const unsigned char ripe_atlas[] = {
#embed "../../../data/docs/guide/ripe-atlas.md"
};
static const unsigned char sample_from_cron[] = {
#embed "../../../data/docs/guide/sample-from-cron.md"
};
static const unsigned char samples[] = {
#embed "../../../data/docs/guide/samples.md"
};
static const unsigned char see_what_happened[] = {
#embed "../../../data/docs/guide/see-what-happened.md"
};
static const unsigned char several_at_once[] = {
#embed "../../../data/docs/guide/several-at-once.md"
};
static const unsigned char share_a_result[] = {
#embed "../../../data/docs/guide/share-a-result.md"
};
static const unsigned char sql[] = {
#embed "../../../data/docs/guide/sql.md"
};
static const unsigned char store[] = {
#embed "../../../data/docs/guide/store.md"
};
static const unsigned char traces[] = {
#embed "../../../data/docs/guide/traces.md"
};
static const unsigned char troubleshooting[] = {
#embed "../../../data/docs/guide/troubleshooting.md"
};
static const unsigned char trust_this_machine[] = {
#embed "../../../data/docs/guide/trust-this-machine.md"
};
static const unsigned char uplinks[] = {
#embed "../../../data/docs/guide/uplinks.md"
};
static const unsigned char verify_a_release[] = {
#embed "../../../data/docs/guide/verify-a-release.md"
};
static const unsigned char what_latency_changes[] = {
#embed "../../../data/docs/guide/what-latency-changes.md"
};

#define PAGE(name, bytes) {name, bytes, sizeof bytes}

const unsigned char *cdata_guide(size_t number, const char **name, size_t *count) {
    static const struct {
        const char *name;
        const unsigned char *bytes;
        size_t count;
    } pages[] = {
        PAGE("README", index_page),
        PAGE("busy-line", busy_line),
        PAGE("caches-as-found", caches_as_found),
        PAGE("charts", charts),
        PAGE("check-a-resolver", check_a_resolver),
        PAGE("ci", ci),
        PAGE("compare", compare),
        PAGE("configure", configure),
        PAGE("connections", connections),
        PAGE("container", container),
        PAGE("content-and-browser-waits", content_and_browser_waits),
        PAGE("dashboard", dashboard),
        PAGE("digest", digest),
        PAGE("encrypted-addresses", encrypted_addresses),
        PAGE("encrypted-transports", encrypted_transports),
        PAGE("evidence-for-others", evidence_for_others),
        PAGE("expected-answers", expected_answers),
        PAGE("home-assistant", home_assistant),
        PAGE("many-places", many_places),
        PAGE("names-and-types", names_and_types),
        PAGE("objectives-and-alerts", objectives_and_alerts),
        PAGE("opentelemetry", opentelemetry),
        PAGE("own-nameservers", own_nameservers),
        PAGE("plan-a-run", plan_a_run),
        PAGE("platforms", platforms),
        PAGE("prometheus-and-grafana", prometheus_and_grafana),
        PAGE("read-a-report", read_a_report),
        PAGE("registered-metrics", registered_metrics),
        PAGE("reports-of-many-places", reports_of_many_places),
        PAGE("ripe-atlas", ripe_atlas),
        PAGE("sample-from-cron", sample_from_cron),
        PAGE("samples", samples),
        PAGE("see-what-happened", see_what_happened),
        PAGE("several-at-once", several_at_once),
        PAGE("share-a-result", share_a_result),
        PAGE("sql", sql),
        PAGE("store", store),
        PAGE("traces", traces),
        PAGE("troubleshooting", troubleshooting),
        PAGE("trust-this-machine", trust_this_machine),
        PAGE("uplinks", uplinks),
        PAGE("verify-a-release", verify_a_release),
        PAGE("what-latency-changes", what_latency_changes),
    };
    if (number >= sizeof pages / sizeof *pages) return NULL;
    *name = pages[number].name;
    *count = pages[number].count;
    return pages[number].bytes;
}
