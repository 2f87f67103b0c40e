// Package kube gives client-go access to a test's cluster. It is apart from internal/testkit/cluster because linking
// client-go costs a minute of compilation, which tests of net/http alone need not pay.
package kube

import (
	"path/filepath"
	"testing"

	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// RESTConfig returns a client-go configuration for the cluster, without client-side rate limiting.
func RESTConfig(t testing.TB, c *lab.Cluster) *rest.Config {
	t.Helper()
	rules := &clientcmd.ClientConfigLoadingRules{Precedence: filepath.SplitList(c.Kubeconfig)}
	config, err := rules.Load()
	if err != nil {
		t.Fatalf("kubeconfig of the tests' cluster: %v", err)
	}
	r, err := clientcmd.NewDefaultClientConfig(*config, nil).ClientConfig()
	if err != nil {
		t.Fatalf("kubeconfig of the tests' cluster: %v", err)
	}
	r.QPS = -1
	r.Dial = c.Dial
	return r
}

// Clientset returns the typed clients of a configuration, whose connections are closed at the end of the test.
func Clientset(t testing.TB, config *rest.Config) kubernetes.Interface {
	t.Helper()
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { utilnet.CloseIdleConnectionsFor(client.Transport) })
	set, err := kubernetes.NewForConfigAndClient(config, client)
	if err != nil {
		t.Fatal(err)
	}
	return set
}
