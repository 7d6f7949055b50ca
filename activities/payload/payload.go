// Package payload owns how values travel through Temporal: large ones, and the
// program bundle at any size, stay out of history as content-addressed artifacts
// of the store (execution.md section 3). Workflow and activity code notices
// nothing of it; a client without this package sees a claim instead of the value.
//
// It leaves out what is in the values. Objects are never deleted here; retention
// is the store's.
package payload

import (
	"context"
	"errors"
	"fmt"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"
	"google.golang.org/protobuf/proto"

	"terfyn/internal/canon"
	"terfyn/store"
)

// driverName is written into histories and never changes.
const driverName = "terfyn-store-v1"

// Threshold is the size in bytes from which a payload leaves history.
const Threshold = 16 << 10

// Storage is the external storage setting for clients and workers over s.
func Storage(s store.Deployments) converter.ExternalStorage {
	d := driver{store: s}
	return converter.ExternalStorage{
		Drivers:              []converter.StorageDriver{d},
		DriverSelector:       selector{driver: d},
		PayloadSizeThreshold: 1, // the selector decides, so that bundles leave at any size
	}
}

type selector struct{ driver driver }

// SelectDriver keeps small payloads inline and moves the rest.
func (s selector) SelectDriver(_ converter.StorageDriverSelectContext, p *commonpb.Payload) (converter.StorageDriver, error) {
	if len(p.GetData()) >= Threshold || string(p.GetMetadata()[converter.MetadataEncoding]) == bundleEncoding {
		return s.driver, nil
	}
	return nil, nil
}

type driver struct{ store store.Deployments }

// Name identifies the driver in claims.
func (driver) Name() string { return driverName }

// Type identifies the kind of driver.
func (driver) Type() string { return "terfyn-store" }

const claimDigest = "digest"

// Store files each payload under the digest of its bytes.
func (d driver) Store(ctx converter.StorageDriverStoreContext, payloads []*commonpb.Payload) ([]converter.StorageDriverClaim, error) {
	claims := make([]converter.StorageDriverClaim, len(payloads))
	for i, p := range payloads {
		b, err := proto.MarshalOptions{Deterministic: true}.Marshal(p)
		if err != nil {
			return nil, fmt.Errorf("encode a payload of %d bytes: %w", len(p.GetData()), err)
		}
		digest := canon.Sum(b)
		err = ctx.GetLimiter().Permit(ctx.Context, p, func() error {
			return d.put(ctx.Context, store.Artifact{Digest: digest, Kind: store.KindPayload, FormatVersion: 1, Bytes: b})
		})
		if err != nil {
			return nil, err
		}
		claims[i] = converter.StorageDriverClaim{ClaimData: map[string]string{claimDigest: string(digest)}}
	}
	return claims, nil
}

func (d driver) put(ctx context.Context, a store.Artifact) error {
	if err := d.store.PutArtifact(ctx, a); err != nil {
		return fmt.Errorf("move a payload of %d bytes out of history: %w", len(a.Bytes), err)
	}
	return nil
}

// errNoDigest: a claim made by another driver version, or damaged.
var errNoDigest = errors.New("the claim names no valid digest")

// Retrieve loads payloads back; the store verifies each against its digest.
func (d driver) Retrieve(ctx converter.StorageDriverRetrieveContext, claims []converter.StorageDriverClaim) ([]*commonpb.Payload, error) {
	payloads := make([]*commonpb.Payload, len(claims))
	for i, c := range claims {
		err := ctx.GetLimiter().Permit(ctx.Context, c, func() (err error) {
			payloads[i], err = d.get(ctx.Context, c)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return payloads, nil
}

func (d driver) get(ctx context.Context, c converter.StorageDriverClaim) (*commonpb.Payload, error) {
	digest := canon.Digest(c.ClaimData[claimDigest])
	if !digest.Valid() {
		return nil, fmt.Errorf("retrieve a payload: %w: %q", errNoDigest, digest)
	}
	a, err := d.store.Artifact(ctx, digest)
	if err != nil {
		return nil, fmt.Errorf("retrieve payload %s: %w", digest, err)
	}
	p := &commonpb.Payload{}
	if err := proto.Unmarshal(a.Bytes, p); err != nil {
		return nil, fmt.Errorf("retrieve payload %s: %w", digest, err)
	}
	return p, nil
}
