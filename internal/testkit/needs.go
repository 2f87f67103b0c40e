package testkit

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// A Capability is something that not every provider of clusters has.
type Capability string

// What tests ask for by name.
const (
	// RestartServer: the test may stop and start the API server.
	RestartServer Capability = "restart-server"
	// EtcdMetrics: etcd's /metrics can be read.
	EtcdMetrics Capability = "etcd-metrics"
	// MinorVersion: the server is of the pinned minor version.
	MinorVersion Capability = "minor-version"
	// Controllers: kube-controller-manager runs.
	Controllers Capability = "controllers"
	// Loopback: the API server reaches what listens on the tests' loopback, such as a webhook.
	Loopback Capability = "loopback"
)

// can lists what each provider of clusters has. A reader's own cluster is promised nothing.
var can = map[string][]Capability{
	"local":      {RestartServer, EtcdMetrics, MinorVersion, Controllers, Loopback},
	"kind":       {MinorVersion, Controllers},
	"kubeconfig": {Controllers},
}

// BooksServer is the value of CLUSTER for the API server of chapter 03, which is no provider for tests: what a test
// says of the API server, it has to say of the real one.
const BooksServer = "book"

// NoBooksServer is what a test is told that meets [BooksServer].
const NoBooksServer = "CLUSTER=book is for demos, and no cluster for tests, which speak of the real API server: " +
	"unset CLUSTER"

// Provider is the value of CLUSTER: local (also when unset), kind or kubeconfig.
func Provider() string {
	if p := os.Getenv("CLUSTER"); p != "" {
		return p
	}
	return "local"
}

// Needs skips the test when the provider lacks one of the capabilities, and names those it lacks:
// "needs restart-server: CLUSTER=kind has none". The names are what the committed list of skips is made of.
func Needs(t testing.TB, capabilities ...Capability) {
	t.Helper()
	if Provider() == BooksServer {
		t.Fatal(NoBooksServer)
	}
	var missing []string
	for _, c := range capabilities {
		if !slices.Contains(can[Provider()], c) {
			missing = append(missing, string(c))
		}
	}
	if len(missing) > 0 {
		t.Skipf("needs %s: CLUSTER=%s has none", strings.Join(missing, ", "), Provider())
	}
}
