package payload_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"

	"terfyn/activities/payload"
	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/internal/canon"
	"terfyn/store"
	"terfyn/store/sqlite"
	"terfyn/workflows/contract"
)

func bundle() *contract.Bundle {
	return &contract.Bundle{
		Snapshot: "sha256:s", Graph: resource.Graph{Project: "p"},
		Programs: []ir.Program{{Workflow: "w", Body: []ir.Node{ir.Return{ID: "return", Expr: ir.Literal{Value: canon.Int(1)}}}}},
	}
}

func TestBundleIsDecodedOnce(t *testing.T) {
	t.Parallel()
	c := payload.Converter()
	p, err := c.ToPayload(bundle())
	if err != nil {
		t.Fatal(err)
	}
	var a, b *contract.Bundle
	if err := errors.Join(c.FromPayload(p, &a), c.FromPayload(p, &b)); err != nil {
		t.Fatal(err)
	}
	if a != b {
		t.Error("one content was parsed twice")
	}
	if a.Snapshot != "sha256:s" || len(a.Programs) != 1 || a.Programs[0].Dump() != bundle().Programs[0].Dump() {
		t.Errorf("got %+v", a)
	}
	var wrong string
	if err := c.FromPayload(p, &wrong); err == nil {
		t.Error("a bundle was read into a string")
	}
}

func TestUnknownBundleFormatIsRefused(t *testing.T) {
	t.Parallel()
	v, err := canon.Parse(payload.EncodeBundle(bundle()))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := payload.DecodeBundle(v.With("formatVersion", canon.Int(2)).Encode()); err == nil {
		t.Error("format 2 was read")
	}
	if _, err := payload.DecodeBundle([]byte("{")); err == nil {
		t.Error("broken bytes were read")
	}
}

func TestNumbersSurviveTheConverter(t *testing.T) {
	t.Parallel()
	c := payload.Converter()
	for _, text := range []string{"9007199254740993", "18446744073709551615", "0.1", `"<&>"`} {
		v, err := canon.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		p, err := c.ToPayload(v)
		if err != nil {
			t.Fatal(err)
		}
		var out canon.Value
		if err := c.FromPayload(p, &out); err != nil || out.JSON() != text {
			t.Errorf("%s came back as %s, %v", text, out.JSON(), err)
		}
	}
}

// driver is the storage driver the settings choose for p, nil = stays inline.
func driver(t *testing.T, s store.Deployments, p *commonpb.Payload) converter.StorageDriver {
	t.Helper()
	d, err := payload.Storage(s).DriverSelector.SelectDriver(converter.StorageDriverSelectContext{}, p)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestWhatLeavesHistory(t *testing.T) {
	t.Parallel()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "state.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	small, large := &commonpb.Payload{Data: make([]byte, payload.Threshold-1)}, &commonpb.Payload{Data: make([]byte, payload.Threshold)}
	if driver(t, s, small) != nil {
		t.Error("a small payload left history")
	}
	b, err := payload.Converter().ToPayload(bundle())
	if err != nil {
		t.Fatal(err)
	}
	if driver(t, s, b) == nil {
		t.Error("a bundle stays in history")
	}
	d := driver(t, s, large)
	if d == nil {
		t.Fatal("a large payload stays in history")
	}
	claims, err := d.Store(converter.StorageDriverStoreContext{Context: t.Context()}, []*commonpb.Payload{large, b})
	if err != nil {
		t.Fatal(err)
	}
	back, err := d.Retrieve(converter.StorageDriverRetrieveContext{Context: t.Context()}, claims)
	if err != nil || len(back) != 2 || len(back[0].Data) != payload.Threshold {
		t.Fatalf("got %d payloads, %v", len(back), err)
	}
	for name, claim := range map[string]map[string]string{
		"no digest": {}, "a damaged one": {"digest": "sha256:zz"}, "one nobody stored": {"digest": string(canon.Sum([]byte("x")))},
	} {
		if _, err := d.Retrieve(converter.StorageDriverRetrieveContext{Context: t.Context()}, []converter.StorageDriverClaim{{ClaimData: claim}}); err == nil {
			t.Errorf("%s was retrieved", name)
		}
	}
	altered := tampered{Deployments: s}
	if _, err := driver(t, altered, large).Retrieve(converter.StorageDriverRetrieveContext{Context: t.Context()}, claims[:1]); !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("altered bytes: %v", err)
	}
}

// tampered is a store whose artifacts no longer have their digest.
type tampered struct{ store.Deployments }

// Artifact reports what a driver reports for altered bytes.
func (tampered) Artifact(context.Context, canon.Digest) (store.Artifact, error) {
	return store.Artifact{}, store.ErrCorrupt
}
