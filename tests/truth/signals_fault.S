	.text
	.globl	faults_at_once
	.type	faults_at_once, @function
	/* The byte before it is in another function, with other rules. */
before_it:
	.cfi_startproc
	.cfi_def_cfa_offset 64
	nop
	.cfi_endproc
faults_at_once:
	.cfi_startproc
	ud2
	ret
	.cfi_endproc
	.size	faults_at_once, . - faults_at_once
	.section .note.GNU-stack, "", @progbits
