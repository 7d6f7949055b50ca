package server

import (
	"fmt"
	"time"

	"go.temporal.io/sdk/worker"
	"go.temporal.io/server/common/authorization"
	"go.temporal.io/server/common/cluster"
	"go.temporal.io/server/common/config"
	"go.temporal.io/server/common/dynamicconfig"
	"go.temporal.io/server/common/headers"
	"go.temporal.io/server/common/membership/static"
	"go.temporal.io/server/common/primitives"
	"go.temporal.io/server/temporal"
)

const (
	clusterName = "active"
	storeName   = "sqlite" // ties the two kinds of persistence to one data store
	// shards is fixed for the life of a database. SQLite has one writer, so
	// more shards would only wait for each other.
	shards   = 1
	disabled = "disabled"
)

// newConfig describes a one-process server with the database at the endpoints.
func newConfig(db *config.SQL, at endpoints) *config.Config {
	return &config.Config{
		Global: config.Global{Membership: config.Membership{
			MaxJoinDuration:  30 * time.Second,
			BroadcastAddress: "127.0.0.1",
		}},
		Persistence: config.Persistence{
			DefaultStore:     storeName,
			VisibilityStore:  storeName,
			NumHistoryShards: shards,
			DataStores:       map[string]config.DataStore{storeName: {SQL: db}},
		},
		ClusterMetadata:     newClusterConfig(at),
		DCRedirectionPolicy: config.DCRedirectionPolicy{Policy: "noop"},
		Services: map[string]config.Service{
			string(primitives.FrontendService): service(at.ip, at.frontend, at.http),
			string(primitives.HistoryService):  service(at.ip, at.history, 0),
			string(primitives.MatchingService): service(at.ip, at.matching, 0),
			string(primitives.WorkerService):   service(at.ip, at.worker, 0),
		},
		Archival: config.Archival{
			History:    config.HistoryArchival{State: disabled},
			Visibility: config.VisibilityArchival{State: disabled},
		},
		NamespaceDefaults: config.NamespaceDefaults{Archival: config.ArchivalNamespaceDefaults{
			History:    config.HistoryArchivalNamespaceDefaults{State: disabled},
			Visibility: config.VisibilityArchivalNamespaceDefaults{State: disabled},
		}},
		// The worker service is a client of the frontend; without its address
		// the start fails.
		PublicClient: config.PublicClient{HostPort: at.address()},
	}
}

func newClusterConfig(at endpoints) *cluster.Config {
	info := cluster.ClusterInformation{
		Enabled:                true,
		InitialFailoverVersion: 1,
		RPCAddress:             at.address(),
	}
	if at.http != 0 {
		info.HTTPAddress = at.join(at.http)
	}
	return &cluster.Config{
		EnableGlobalNamespace:    false,
		FailoverVersionIncrement: 10,
		MasterClusterName:        clusterName,
		CurrentClusterName:       clusterName,
		ClusterInformation:       map[string]cluster.ClusterInformation{clusterName: info},
	}
}

func service(ip string, port, httpPort int) config.Service {
	return config.Service{RPC: config.RPC{GRPCPort: port, HTTPPort: httpPort, BindOnIP: ip}}
}

// newServer puts the four services together. Static hosts replace the membership
// ring and its ports.
func newServer(cfg *config.Config, at endpoints, settings dynamicconfig.StaticClient, l *logger) (temporal.Server, error) {
	authorizer, err := authorization.GetAuthorizerFromConfig(&cfg.Global.Authorization)
	if err != nil {
		return nil, fmt.Errorf("set up the authorizer: %w", err)
	}
	claims, err := authorization.GetClaimMapperFromConfig(&cfg.Global.Authorization, l)
	if err != nil {
		return nil, fmt.Errorf("set up the claim mapper: %w", err)
	}
	// The server's own workers identify themselves by a digest of the executable
	// unless told a name. Reading two hundred megabytes for it would double the
	// time of a start.
	worker.SetBinaryChecksum(name + "@" + headers.ServerVersion)
	srv, err := temporal.NewServer(
		temporal.WithConfig(cfg),
		temporal.ForServices(temporal.DefaultServices),
		temporal.WithStaticHosts(map[primitives.ServiceName]static.Hosts{
			primitives.FrontendService: static.SingleLocalHost(at.join(at.frontend)),
			primitives.HistoryService:  static.SingleLocalHost(at.join(at.history)),
			primitives.MatchingService: static.SingleLocalHost(at.join(at.matching)),
			primitives.WorkerService:   static.SingleLocalHost(at.join(at.worker)),
		}),
		temporal.WithLogger(l),
		temporal.WithAuthorizer(authorizer),
		temporal.WithClaimMapper(func(*config.Config) authorization.ClaimMapper { return claims }),
		temporal.WithDynamicConfigClient(settings),
	)
	if err != nil {
		return nil, fmt.Errorf("put the server together: %w", err)
	}
	return srv, nil
}
