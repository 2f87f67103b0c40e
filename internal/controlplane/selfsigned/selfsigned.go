// Package selfsigned makes certificates that are their own authority, each for one run of one program of this machine.
package selfsigned

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"time"
)

// Certificate is a key, and the certificate that it has signed itself. Who trusts the certificate as an authority
// trusts the holder of the key, and nobody else.
type Certificate struct {
	// TLS is what the holder shows.
	TLS tls.Certificate
	// PEM is the certificate alone, for those who are to trust it.
	PEM []byte
}

// New makes a certificate for 127.0.0.1 and localhost, good for one use, [x509.ExtKeyUsageServerAuth] or
// [x509.ExtKeyUsageClientAuth], and for so long.
func New(name string, use x509.ExtKeyUsage, life time.Duration) (*Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("a key for the %s: %w", name, err)
	}
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(life), // a clock that is set back a little does no harm
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{use}, IsCA: true, BasicConstraintsValid: true,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"localhost"},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, fmt.Errorf("a certificate for the %s: %w", name, err)
	}
	return &Certificate{
		TLS: tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key},
		PEM: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
	}, nil
}

// Key is the private key as PEM, for a kubeconfig.
func (c *Certificate) Key() ([]byte, error) {
	der, err := x509.MarshalPKCS8PrivateKey(c.TLS.PrivateKey)
	if err != nil {
		return nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), nil
}

// Pool is an authority that vouches for the certificate and for nothing else.
func (c *Certificate) Pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(c.PEM)
	return pool
}
