/* planes_table.h -- where each byte comes from when planes become pixels, and back.
 *
 * Text of planes.h. LANE 16 or 64: see there.
 */

/* Where byte q comes from, of vectors side by side, in units of 1 << u bytes. FROM_PLANES: q is of pixels,
 * made of planes of a vector each. FROM_PIXELS: q is of planes, made of vectors of pixels. */
#define IN_UNIT(u, q) ((q) & ((1 << (u)) - 1))
#define FROM_PLANES(planes, u, q)                                                                            \
	(uint8_t)((((q) >> (u)) % (planes)) * LANE + (((q) >> (u)) / (planes) << (u)) + IN_UNIT(u, q))
#define FROM_PIXELS(planes, u, q)                                                                            \
	(uint8_t)((((((q) % LANE) >> (u)) * (planes) + (q) / LANE) << (u)) + IN_UNIT(u, q))
#if LANE == 16
/* From vector p of those that go in: where a byte is in it, or 128. */
#define BYTE(from, planes, u, q, p)                                                                          \
	((uint8_t)(from(planes, u, q) - LANE * (p)) < LANE ? (uint8_t)(from(planes, u, q) - LANE * (p)) : 128)
#define BYTES64(from, planes, u, q)                                                                          \
	BYTES16(from, planes, u, q, 0), BYTES16(from, planes, u, q, 1), BYTES16(from, planes, u, q, 2),      \
	    BYTES16(from, planes, u, q, 3)
#else
#define BYTE(from, planes, u, q, p) from(planes, u, q)
#define BYTES64(from, planes, u, q)                                                                          \
	BYTES16(from, planes, u, q, 0), BYTES16(from, planes, u, q + 16, 0),                                 \
	    BYTES16(from, planes, u, q + 32, 0), BYTES16(from, planes, u, q + 48, 0)
#endif
#define BYTES4(from, planes, u, q, p)                                                                        \
	BYTE(from, planes, u, q, p), BYTE(from, planes, u, q + 1, p), BYTE(from, planes, u, q + 2, p),       \
	    BYTE(from, planes, u, q + 3, p)
#define BYTES16(from, planes, u, q, p)                                                                       \
	BYTES4(from, planes, u, q, p), BYTES4(from, planes, u, q + 4, p), BYTES4(from, planes, u, q + 8, p), \
	    BYTES4(from, planes, u, q + 12, p)
#define BYTES(from, planes, u)                                                                               \
	{                                                                                                    \
		BYTES64(from, planes, u, 0), BYTES64(from, planes, u, LANE),                                 \
		    BYTES64(from, planes, u, 2 * LANE), BYTES64(from, planes, u, 3 * LANE)                   \
	}
#define UNITS(from, planes)                                                                                  \
	{                                                                                                    \
		BYTES(from, planes, 0), BYTES(from, planes, 1), BYTES(from, planes, 2),                      \
		    BYTES(from, planes, 3)                                                                   \
	}

/* By planes - 2 and the unit's logarithm. Made here and not at each call: rows may be few and short. */
static const uint8_t from_planes[3][4][256] = {UNITS(FROM_PLANES, 2), UNITS(FROM_PLANES, 3),
                                               UNITS(FROM_PLANES, 4)};
static const uint8_t from_pixels[3][4][256] = {UNITS(FROM_PIXELS, 2), UNITS(FROM_PIXELS, 3),
                                               UNITS(FROM_PIXELS, 4)};
