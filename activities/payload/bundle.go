package payload

import (
	"fmt"
	"sync"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"

	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/internal/canon"
	"terfyn/workflows/contract"
)

// bundleEncoding marks a program bundle in payload metadata; written into
// histories, never changed.
const bundleEncoding = "json/terfyn-bundle-v1"

// Converter is the data converter of terfyn's workers and clients: the SDK's
// default chain, with bundles decoded once for each content and process.
func Converter() converter.DataConverter {
	return converter.NewCompositeDataConverter(
		converter.NewNilPayloadConverter(),
		&bundleConverter{cache: map[canon.Digest]*contract.Bundle{}},
		converter.NewByteSlicePayloadConverter(),
		converter.NewProtoJSONPayloadConverter(),
		converter.NewProtoPayloadConverter(),
		converter.NewJSONPayloadConverter(),
	)
}

// bundleConverter turns bundles into canonical bytes and back. Decoded bundles
// are immutable and shared by all runs of the process.
type bundleConverter struct {
	mu    sync.Mutex
	cache map[canon.Digest]*contract.Bundle
	order []canon.Digest // oldest first
}

// cachedBundles bounds the cache; a process runs few snapshots at a time.
const cachedBundles = 64

// Encoding is the name in payload metadata.
func (*bundleConverter) Encoding() string { return bundleEncoding }

// ToPayload converts a bundle; nil for other values, as the chain expects.
func (c *bundleConverter) ToPayload(value any) (*commonpb.Payload, error) {
	b, ok := value.(*contract.Bundle)
	if !ok || b == nil {
		return nil, nil
	}
	return &commonpb.Payload{
		Metadata: map[string][]byte{converter.MetadataEncoding: []byte(bundleEncoding)},
		Data:     EncodeBundle(b),
	}, nil
}

// FromPayload fills a **contract.Bundle.
func (c *bundleConverter) FromPayload(p *commonpb.Payload, target any) error {
	out, ok := target.(**contract.Bundle)
	if !ok {
		return fmt.Errorf("a program bundle cannot be read into %T", target)
	}
	b, err := c.decode(p.GetData())
	if err != nil {
		return err
	}
	*out = b
	return nil
}

// ToString shows a bundle by its size; the content is in the store.
func (c *bundleConverter) ToString(p *commonpb.Payload) string {
	return fmt.Sprintf("program bundle of %d bytes", len(p.GetData()))
}

func (c *bundleConverter) decode(data []byte) (*contract.Bundle, error) {
	d := canon.Sum(data)
	c.mu.Lock()
	defer c.mu.Unlock()
	if b, ok := c.cache[d]; ok {
		return b, nil
	}
	b, err := DecodeBundle(data)
	if err != nil {
		return nil, err
	}
	if len(c.order) == cachedBundles {
		delete(c.cache, c.order[0])
		c.order = c.order[1:]
	}
	c.cache[d], c.order = b, append(c.order, d)
	return b, nil
}

// bundleFormat is the version of the encoded bundle.
const bundleFormat = 1

// EncodeBundle is the canonical form of a bundle.
func EncodeBundle(b *contract.Bundle) []byte {
	return canon.Object(
		canon.F("formatVersion", canon.Int(bundleFormat)), canon.F("snapshot", canon.String(string(b.Snapshot))),
		canon.F("programs", canon.String(string(ir.EncodeSet(b.Programs)))), canon.F("graph", canon.String(string(resource.Encode(b.Graph)))),
	).Encode()
}

// DecodeBundle reads it back; another format version is refused.
func DecodeBundle(data []byte) (*contract.Bundle, error) {
	v, err := canon.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("program bundle: %w", err)
	}
	if got, _ := v.At("formatVersion").AsInt(); got != bundleFormat {
		return nil, fmt.Errorf("program bundle has format %s, this worker reads %d; run a worker of the version that wrote it", v.At("formatVersion").JSON(), bundleFormat)
	}
	programs, err := ir.DecodeSet([]byte(v.Str("programs")))
	if err != nil {
		return nil, fmt.Errorf("program bundle: %w", err)
	}
	graph, err := resource.Decode([]byte(v.Str("graph")))
	if err != nil {
		return nil, fmt.Errorf("program bundle: %w", err)
	}
	return &contract.Bundle{Snapshot: canon.Digest(v.Str("snapshot")), Programs: programs, Graph: graph}, nil
}
