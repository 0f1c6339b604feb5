#include "CTOML.h"

// Disables the assertions of toml++, so that it returns an error for an invalid file. Active assertions would
// end the program at an invalid file. With NDEBUG, the compiler would assume that the assertions hold.
#define TOML_ASSERT(expr) static_cast<void>(0)
#define TOML_ASSERT_ASSUME(expr) static_cast<void>(0)
#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include <cstdio>
#include <sstream>

namespace {

struct Visitor {
    void (*visit)(void *, const ctoml_value *);
    void *context;

    void operator()(const toml::node &node, std::string_view key, const toml::source_region &place) const {
        ctoml_value value{};
        value.line = place.begin.line;
        value.key = key.data();
        value.key_length = key.size();
        std::string moment;
        auto hand_on = [&](ctoml_kind kind) {
            value.kind = kind;
            visit(context, &value);
        };
        node.visit([&](const auto &found) {
            using Found = std::decay_t<decltype(found)>;
            if constexpr (toml::is_table<Found>) {
                hand_on(ctoml_table);
                for (auto &&[name, child] : found) (*this)(child, name.str(), name.source());
                hand_on(ctoml_end);
            } else if constexpr (toml::is_array<Found>) {
                hand_on(ctoml_array);
                for (const toml::node &child : found) (*this)(child, {}, child.source());
                hand_on(ctoml_end);
            } else if constexpr (toml::is_string<Found>) {
                value.text = found.get().data();
                value.text_length = found.get().size();
                hand_on(ctoml_text);
            } else if constexpr (toml::is_integer<Found>) {
                value.integer = found.get();
                hand_on(ctoml_integer);
            } else if constexpr (toml::is_floating_point<Found>) {
                value.number = found.get();
                hand_on(ctoml_number);
            } else if constexpr (toml::is_boolean<Found>) {
                value.is_true = found.get();
                hand_on(ctoml_boolean);
            } else {
                std::ostringstream written;
                written << found.get();
                moment = written.str();
                value.text = moment.data();
                value.text_length = moment.size();
                hand_on(ctoml_moment);
            }
        });
    }
};

}  // namespace

int ctoml_parse(
    const char *text, size_t length, void (*visit)(void *, const ctoml_value *), void *context, char *fault,
    size_t fault_length) {
    toml::parse_result result = toml::parse(std::string_view(text, length));
    if (!result) {
        std::snprintf(fault, fault_length, "%s", std::string(result.error().description()).c_str());
        return static_cast<int>(std::max<toml::source_index>(1, result.error().source().begin.line));
    }
    Visitor{visit, context}(result.table(), {}, result.table().source());
    return 0;
}
