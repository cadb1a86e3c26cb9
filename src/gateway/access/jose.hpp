#pragma once

// The library's headers are C and do not say so.
extern "C" {
#include <jose/b64.h>
#include <jose/jwe.h>
}
