#include "CData.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char resolvers[] = {
#embed "../../../data/resolvers.toml"
};
static const unsigned char domains[] = {
#embed "../../../data/domains.txt"
};
static const unsigned char popular[] = {
#embed "../../../data/popular.txt"
};
static const unsigned char zones[] = {
#embed "../../../data/zones.txt"
};
static const unsigned char checks[] = {
#embed "../../../data/checks.toml"
};
static const unsigned char lab_checks[] = {
#embed "../../../data/lab/lab-checks.toml"
};
static const unsigned char lab_default[] = {
#embed "../../../data/lab/default.toml"
};
static const unsigned char lab_hostile[] = {
#embed "../../../data/lab/hostile.toml"
};
static const unsigned char campaign_2009[] = {
#embed "../../../data/campaigns/2009-is-8888-faster.toml"
};

#define FILE(name) [cdata_##name] = {name, sizeof name}

const unsigned char *cdata_bytes(cdata_name name, size_t *count) {
    static const struct {
        const unsigned char *bytes;
        size_t count;
    } files[] = {
        FILE(resolvers),
        FILE(domains),
        FILE(popular),
        FILE(zones),
        FILE(checks),
        FILE(lab_checks),
        FILE(lab_default),
        FILE(lab_hostile),
        FILE(campaign_2009),
    };
    *count = files[name].count;
    return files[name].bytes;
}
