package lab

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/filelock"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/kubeconfig"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/local"
)

// Cluster is an API server and the credentials for it.
type Cluster struct {
	// Provider is where it came from.
	Provider Provider
	// Kubeconfig is the path of its kubeconfig, for kubectl.
	Kubeconfig string
	// Namespace is the run's own namespace once [Cluster.InNamespace] made one, else empty.
	Namespace string
	// Server is the API server's URL, without a trailing slash.
	Server *url.URL
	// TLS is what a connection to it needs: authorities and the client certificate. Clone it before changing it.
	TLS *tls.Config
	// Token is the bearer token, empty where the client certificate is the credential.
	Token string
	// Version is what the server says of itself, "v1.37.1".
	Version string
	// Private says that the cluster dies with this process.
	Private bool
	// Instance is the local control plane behind it, or the book's own server; nil for the other providers.
	Instance *local.Instance

	config *kubeconfig.Config
	client *http.Client
	conns  *conns
	close  func() error

	claimed *filelock.Lock // of Namespace, while this process lives
	beside  []*Cluster     // in a namespace each, deleted with this one's
}

// Options for [Connect].
type Options struct {
	// Controllers asks for a running kube-controller-manager.
	Controllers bool
	// Private asks a local control plane of one's own, for those who break it. Other providers ignore it.
	Private bool
	// ServerFlags are more flags of a private control plane's API server, each as "name=value".
	ServerFlags []string
	// Progress receives what takes a while: building and starting servers. Nil means silence.
	Progress io.Writer
}

// Connect finds or starts the cluster that the variable CLUSTER chooses, and asks for its version to see that it
// answers.
func Connect(ctx context.Context, o Options) (*Cluster, error) {
	p, err := providerFromEnv()
	if err != nil {
		return nil, err
	}
	return connectTo(ctx, p, o)
}

func connectTo(ctx context.Context, p Provider, o Options) (*Cluster, error) {
	if o.Progress == nil {
		o.Progress = io.Discard
	}
	c, err := p.connect(ctx, o)
	if err != nil {
		return nil, err
	}
	if err := c.hello(ctx); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// newCluster reads a kubeconfig. stop, which may be nil, is what Close does with the servers.
func newCluster(p Provider, path string, stop func() error) (*Cluster, error) {
	config, err := kubeconfig.Load(path)
	if err != nil {
		return nil, err
	}
	c := &Cluster{
		Provider: p, Kubeconfig: config.Path, Server: config.Server, TLS: config.TLS, Token: config.Token,
		config: config, conns: newConns(), close: stop,
	}
	c.client = config.Client(c.NewTransport())
	return c, nil
}

// hello asks the server for its version.
func (c *Cluster) hello(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	var v struct{ GitVersion string }
	if err := c.call(ctx, http.MethodGet, "/version", nil, &v); err != nil {
		return explain(err, c)
	}
	c.Version = v.GitVersion
	return nil
}

// DefaultNamespace is the namespace that the cluster's kubeconfig names for commands that name none.
func (c *Cluster) DefaultNamespace() string { return c.config.Namespace }

// HTTPClient returns the client that the whole run shares: its connections are reused, over HTTP/2.
func (c *Cluster) HTTPClient() *http.Client { return c.client }

// NewTransport returns a transport of its own, for a demo that is about connections. [Cluster.Close] closes those that
// are left.
func (c *Cluster) NewTransport() *http.Transport {
	t := c.config.Transport()
	t.DialContext = c.conns.dial
	return t
}

// Dial opens a connection that [Cluster.Close] closes, for clients that bring a transport of their own.
func (c *Cluster) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	return c.conns.dial(ctx, network, address)
}

// Client returns an http.Client that adds the cluster's credentials to what t sends.
func (c *Cluster) Client(t http.RoundTripper) *http.Client { return c.config.Client(t) }

// Describe is a line for the start of a demo.
func (c *Cluster) Describe() string {
	if c.Provider == Book {
		return fmt.Sprintf("The book's own API server, of chapter 03, %s", c.Server)
	}
	from := map[Provider]string{
		Local:      "the control plane of this machine",
		Kind:       "kind",
		Kubeconfig: "your kubeconfig",
	}[c.Provider]
	if c.Private {
		from = "a private control plane"
	}
	return fmt.Sprintf("kube-apiserver %s of %s, %s", c.Version, from, c.Server)
}

// Close closes the connections, and stops the servers if they are private to this process.
func (c *Cluster) Close() error {
	c.client.CloseIdleConnections()
	c.conns.closeAll()
	if c.close == nil {
		return nil
	}
	return c.close()
}

// call sends one request of the lab's own and decodes the answer into out, which may be nil.
func (c *Cluster) call(ctx context.Context, method, path string, body, out any) error {
	answer, err := MustSendJSON(ctx, c.client, method, c.Server.String()+path, body)
	if err != nil || out == nil {
		return err
	}
	return json.Unmarshal(answer, out)
}
